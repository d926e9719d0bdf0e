import type { BudgetDetail } from '../../shared/contract.ts'

/** A version in a comparison; `clauses` is null if its conditions are unknown. */
export type ComparedDetail = Omit<BudgetDetail, 'clauses'> & { clauses?: BudgetDetail['clauses'] | null }

/**
 * The version on the page and another one, which the person chose. A draft is compared by the conditions with which it
 * would be sent now; only its preview has them.
 */
export function useComparison(budget: () => BudgetDetail | null) {
  const api = useBudgetApi()
  const chosen = ref<string | null>(null)
  const { data, error, loading, load } = useLoaded(async (signal) => {
    if (!chosen.value) return null
    const other = (await api.getBudget(chosen.value, signal)).data
    return { id: other.id, one: await conditionsOf(budget(), signal), other: await withConditions(other, signal) }
  }, () => [chosen.value, budget()?.updated_at])

  async function conditionsOf(version: BudgetDetail | null, signal: AbortSignal) {
    if (version?.status !== 'draft') return version?.clauses
    // If a module can't give its conditions now, everything else is compared.
    return await api.previewBudget(version.id, undefined, signal).then(({ data }) => data.clauses, () => null)
  }
  const withConditions = async (version: BudgetDetail, signal: AbortSignal): Promise<ComparedDetail> =>
    ({ ...version, clauses: await conditionsOf(version, signal) })

  const pair = computed<{ one: ComparedDetail, other: ComparedDetail } | null>(() => {
    const shown = budget()
    if (!shown || !data.value || data.value.id !== chosen.value) return null
    return { one: { ...shown, clauses: data.value.one }, other: data.value.other }
  })
  const toggle = (id: string) => { chosen.value = chosen.value === id ? null : id }
  return { chosen, pair, error, loading, load, toggle }
}
