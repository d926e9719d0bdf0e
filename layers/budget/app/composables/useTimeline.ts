import type { BudgetDetail } from '../../shared/contract.ts'
import { timelineOf, type LogRow } from '../utils/timeline.ts'

const PAGE_SIZE = 20

/** The history of a budget. The newest page is loaded when the budget changes and every 15 s; older ones on request. */
export function useTimeline(id: string, budget: () => BudgetDetail | null) {
  const api = useBudgetApi()
  const rows = shallowRef<LogRow[]>([])
  const total = ref(0)
  const { saving: loading, error, run } = useSave(fetchPage)

  async function fetchPage(page: number) {
    const { data, meta } = await api.listAccessLog(id, { page, page_size: PAGE_SIZE })
    // New rows shift the others between pages, so rows are merged by id.
    const known = new Map([...data, ...rows.value].map(row => [row.id, row]))
    rows.value = [...known.values()].sort((one, other) => other.at.localeCompare(one.at))
    total.value = Number(meta.total)
  }
  const newest = () => fetchPage(1)

  watch(budget, found => found && void (rows.value.length === 0 ? run(1) : newest().catch(() => {})), {
    immediate: true
  })
  useLive(newest, 15)

  const more = computed(() => rows.value.length < total.value)
  const facts = computed(() => {
    const found = budget()
    return found ? timelineOf(found, rows.value, !more.value) : []
  })
  return {
    facts,
    more,
    loading,
    error,
    older: () => run(Math.floor(rows.value.length / PAGE_SIZE) + 1),
    retry: () => run(1)
  }
}
