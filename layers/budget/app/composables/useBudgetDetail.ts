import type { BudgetDetail } from '../../shared/contract.ts'
import { newsBetween, type News } from '../utils/budget-news.ts'

const EVERY_SECONDS = 4

/**
 * One version as it is on the server. Changes by others, such as the patient, appear within seconds and are listed in
 * `news`. The person's own actions run in `during` and aren't news.
 */
export function useBudgetDetail(id: string) {
  const api = useBudgetApi()
  const { skew, heard } = useSkew()
  const { data: budget, error, loading, load } = useLoaded(async signal => heard(await api.getBudget(id, signal)))
  const news = ref<News[]>([])
  /** The last check got no answer, so the data shown may be old. */
  const isStale = ref(false)
  let acting = 0
  let looks = 0

  async function look() {
    const mine = ++looks
    if (!budget.value || acting > 0) return
    try {
      const data = heard(await api.getBudget(id, AbortSignal.timeout(20_000)))
      isStale.value = false
      if (mine !== looks || acting > 0) return
      const found = newsBetween(budget.value, data)
      if (found.length > 0) news.value = found
      show(data)
    } catch (thrown) {
      const { status } = toApiError(thrown)
      if (status === 404) budget.value = null // a colleague deleted the draft
      isStale.value = status !== 401 && status !== 404
      if (status === 404) await load()
    }
  }

  /** Assigns only changed data, so that nothing is rendered again without a change. */
  function show(found: BudgetDetail) {
    if (JSON.stringify(found) !== JSON.stringify(budget.value)) budget.value = found
  }

  async function refresh() {
    const mine = ++looks
    const data = heard(await api.getBudget(id))
    isStale.value = false
    if (mine === looks) show(data)
  }

  /**
   * Runs an action, then loads the budget's new state. It does so after a refusal too, since the state shown may be
   * outdated.
   */
  async function during<T>(act: () => Promise<T>): Promise<T> {
    acting++
    try {
      return await act()
    } finally {
      await refresh().catch(() => {
        isStale.value = true
      })
      acting--
    }
  }

  useLive(look, EVERY_SECONDS)
  return { budget, error, loading, load, news, isStale, skew, look, during }
}

/** Add `skew` to this device's clock to get the server's. */
function useSkew() {
  const skew = ref(0)
  function heard({ data, headers }: { data: BudgetDetail, headers: Headers }): BudgetDetail {
    const now = Date.parse(headers.get('date') ?? '')
    if (now) skew.value = now - Date.now()
    return data
  }
  return { skew, heard }
}
