import { readOldPlace } from '../../../shared/domain/teeth-input.ts'
import { placeOf, type Place } from '../../../shared/domain/teeth.ts'
import type { ItemRow } from '../../db/items.ts'

/** The columns of a line's place; `tooth` and `surfaces` are only of versions sent before teeth were data. */
export type PlaceColumns = Pick<ItemRow, 'tooth' | 'surfaces' | 'teeth' | 'tooth_surfaces' | 'area' | 'site'>

/** Nothing is null, so that a line without a place says none. */
export const placeColumns = ({ teeth, surfaces, area, site }: Place): PlaceColumns => ({
  tooth: null,
  surfaces: null,
  teeth: teeth.length > 0 ? teeth : null,
  tooth_surfaces: surfaces.length > 0 ? surfaces : null,
  area,
  site
})

/** Where a stored line is done. What an earlier version was sent with is shown as it was, as its site. */
export const shownPlace = ({ tooth, surfaces, teeth, tooth_surfaces, area, site }: PlaceColumns): Place =>
  tooth === null && surfaces === null
    ? placeOf({ teeth, surfaces: tooth_surfaces, area, site })
    : placeOf({ site: [tooth, surfaces].filter(Boolean).join(' ') || null })

/** The same for a new draft, which holds no old texts: they are read. */
export const copiedPlace = (item: PlaceColumns): PlaceColumns =>
  item.tooth === null && item.surfaces === null ? item : placeColumns(readOldPlace(item.tooth, item.surfaces))

/** Whether people have to know how teeth are numbered. */
export const namesTeeth = (items: readonly Pick<ItemRow, 'teeth'>[]): boolean =>
  items.some(({ teeth }) => (teeth ?? []).length > 0)
