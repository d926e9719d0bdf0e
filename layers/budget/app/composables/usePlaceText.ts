import { placeOf, sortSurfaces, teethText, type Notation, type Place } from '../../shared/domain/teeth.ts'

type Named = Partial<{ [Key in keyof Place]: Place[Key] | null }>

/** Where in the mouth a line is done, in a few words: "Tooth 16 · Surfaces MO", "Teeth 11, 21", "Upper jaw". */
export function usePlaceText() {
  const { t } = useI18n()
  return (line: Named, notation: Notation = 'fdi'): string => {
    const { teeth, surfaces, area, site } = placeOf(line)
    return [
      teeth.length === 1 && t('budget.lines.tooth', { tooth: teethText({ teeth, surfaces: [] }, notation) }),
      teeth.length > 1 && t('budget.lines.teeth', { teeth: teethText({ teeth, surfaces: [] }, notation) }),
      surfaces.length > 0 && t('budget.lines.surfaces', { surfaces: sortSurfaces(surfaces).join('') }),
      area && t(`budget.teeth.area.${area}`),
      site
    ].filter(Boolean).join(' · ')
  }
}
