import { punctuationOf } from '@svc/kit/locale'
import { placeOf, sortSurfaces, teethText, type Notation, type Place } from '../../shared/domain/teeth.ts'

type Named = Partial<{ [Key in keyof Place]: Place[Key] | null }>

/** A line's place in the mouth as text: "Tooth 16 · Surfaces MO", "Teeth 11, 21", "Upper jaw". */
export function usePlaceText() {
  const { t, locale } = useI18n()
  return (line: Named, notation: Notation = 'fdi'): string => {
    const { teeth, surfaces, area, site } = placeOf(line)
    const codes = teethText({ teeth, surfaces: [] }, notation, punctuationOf(locale.value).comma)
    return [
      teeth.length === 1 && t('budget.lines.tooth', { tooth: codes }),
      teeth.length > 1 && t('budget.lines.teeth', { teeth: codes }),
      surfaces.length > 0 && t('budget.lines.surfaces', { surfaces: sortSurfaces(surfaces).join('') }),
      area && t(`budget.teeth.area.${area}`),
      site
    ].filter(Boolean).join(' · ')
  }
}
