import { punctuationOf } from '@svc/kit/locale'
import { MAX_ITEMS } from '../../shared/contract.ts'
import type { FormLine } from '../utils/budget-form.ts'

interface SetOfTreatments<T> { name: string, items: { quantity: number, treatment: T }[] }

/**
 * Creates the lines of a set. Inactive treatments, and lines beyond the maximum, are left out; `notice` says so until
 * something else is added.
 */
export function useSetLines<T extends { name: Record<string, string>, active: boolean }>(
  lineOf: (treatment: T) => FormLine,
  count: () => number
) {
  const { t, locale } = useI18n()
  const { number } = useFormat()
  const inLanguage = useInLanguage()
  const notice = ref('')

  function linesOfSet({ name, items }: SetOfTreatments<T>): FormLine[] {
    const gone = items.filter(({ treatment }) => !treatment.active)
    const offered = items.filter(({ treatment }) => treatment.active)
    const fitting = offered.slice(0, MAX_ITEMS - count())
    const names = gone.map(({ treatment }) => inLanguage(treatment.name)).join(punctuationOf(locale.value).comma)
    notice.value = [
      ...gone.length > 0 ? [t('budget.editor.set_gone', { set: name, names })] : [],
      ...fitting.length < offered.length ? [t('budget.editor.full', { n: MAX_ITEMS })] : []
    ].join(' ')
    return fitting.map(({ treatment, quantity }) => ({ ...lineOf(treatment), quantity: String(quantity) }))
  }
  const addedText = (name: string, n: number) => t('budget.editor.set_added', { set: name, n: number(n) }, n)
  return { notice, linesOfSet, addedText }
}
