import type { Locale, PatientView } from '../../shared/contract.ts'
import { leastTotal, type Answers } from '../utils/selection.ts'
import { useAnswers } from './useAnswers.ts'

/** A selection that staff make in the preview, or with a patient who accepts at the clinic. */
export function useStaffSelection(id: string, view: () => PatientView | null) {
  const api = useBudgetApi()
  const error = shallowRef<ApiError | null>(null)
  const offer = computed(() => {
    const budget = view()
    return budget?.choices && ['draft', 'sent'].includes(budget.status) ? budget : null
  })

  async function price(selection: Answers) {
    try {
      error.value = null
      return (await api.priceSelection(id, { selection }, view()!.locale as Locale)).data
    } catch (thrown) {
      error.value = toApiError(thrown)
      return null
    }
  }
  const chosen = useAnswers({ offer: () => offer.value, price })
  const { answers, prices, priced } = chosen
  const shown = computed(() => priced.value ?? view())
  const from = computed(() =>
    offer.value && !priced.value?.selection ? leastTotal(offer.value, answers.value, prices.value) : undefined
  )
  return { ...chosen, offer, shown, from, error }
}
