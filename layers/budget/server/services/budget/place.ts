import { readOldPlace } from '../../../shared/domain/teeth-input.ts'
import { placeOf, type Place } from '../../../shared/domain/teeth.ts'
import type { ItemRow } from '../../db/items.ts'

/** The columns of a line's place. Only versions sent before teeth were structured data have `tooth` and `surfaces`. */
export type PlaceColumns = Pick<ItemRow, 'tooth' | 'surfaces' | 'teeth' | 'tooth_surfaces' | 'area' | 'site'>

/** No field is null, so that a line without a place has empty ones. */
export const placeColumns = ({ teeth, surfaces, area, site }: Place): PlaceColumns => ({
  tooth: null,
  surfaces: null,
  teeth: teeth.length > 0 ? teeth : null,
  tooth_surfaces: surfaces.length > 0 ? surfaces : null,
  area,
  site
})

/** The place of a stored line. The texts of an earlier version are shown as its site. */
export const shownPlace = ({ tooth, surfaces, teeth, tooth_surfaces, area, site }: PlaceColumns): Place =>
  tooth === null && surfaces === null
    ? placeOf({ teeth, surfaces: tooth_surfaces, area, site })
    : placeOf({ site: [tooth, surfaces].filter(Boolean).join(' ') || null })

/** The same for a new draft, which has no deprecated texts: they are parsed. */
export const copiedPlace = (item: PlaceColumns): PlaceColumns =>
  item.tooth === null && item.surfaces === null ? item : placeColumns(readOldPlace(item.tooth, item.surfaces))

/** Whether the reader must know how teeth are numbered. */
export const namesTeeth = (items: readonly Pick<ItemRow, 'teeth'>[]): boolean =>
  items.some(({ teeth }) => (teeth ?? []).length > 0)
