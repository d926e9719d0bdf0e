import { ATTENTION, StatusName, type BudgetDetail } from '../../shared/contract.ts'

type Status = BudgetDetail['status']

/** The tabs. Each but the first has one status, or two that staff don't need to distinguish. */
const TABS = [
  { key: 'all', states: [] },
  { key: 'drafts', states: ['draft'] },
  { key: 'open', states: ['sent'] },
  { key: 'accepted', states: ['accepted'] },
  { key: 'rejected', states: ['rejected'] },
  { key: 'expired', states: ['expired'] },
  { key: 'closed', states: ['cancelled', 'superseded'] }
] as const satisfies { key: string, states: readonly Status[] }[]

/** The statuses of a budget's newest version. Older versions are listed only under "closed". */
const NEWEST = StatusName.options.filter(state => state !== 'superseded')

/** The list of budgets for the page's URL: one page of it, the number in each tab, and what needs attention. */
export function useBudgetList() {
  const list = useListState({ sort: '-created_at' })
  const budgets = useBudgetApi()

  const filters = computed(() => ({
    search: list.search.value || undefined,
    patient_id: list.one('patient_id'),
    professional_id: list.one('professional_id'),
    expires_before: list.one('expires_before'),
    locked: list.one('locked')
  }))
  const attention = computed(() => ATTENTION.find(kind => kind === list.one('attention')))
  const states = computed(() => list.many('status').filter((one): one is Status => StatusName.safeParse(one).success))

  const asked = computed(() => ({
    ...filters.value,
    attention: attention.value,
    status: states.value.length > 0 || attention.value ? states.value : NEWEST,
    sort: list.sort.value
  }))

  const { data, error, loading, load } = useLoaded(async (signal) => {
    const [found, waiting, all] = await Promise.all([
      budgets.listBudgets({ ...asked.value, page: list.page.value }, signal),
      budgets.listAttention(signal),
      // A response counts what matches its filters, but the tabs' counts must ignore the attention filter.
      attention.value ? budgets.listBudgets({ ...filters.value, page_size: 1 }, signal) : null
    ])
    return {
      rows: found.data,
      meta: found.meta,
      waiting: waiting.data,
      counts: (all ?? found).meta.counts as Record<Status, number>
    }
  }, list.key)
  useLive(() => load({ quietly: true }), 15)

  const filterCount = computed(
    () => Object.entries(filters.value).filter(([name, value]) => name !== 'search' && value).length
  )
  const rows = computed(() => data.value?.rows ?? null)
  const total = computed(() => data.value ? Number(data.value.meta.total) : undefined)
  const more = computed(() => data.value?.meta.total_is_exact === false)

  /** The URL of another tab with the same filters and order. */
  const viewAt = (status: readonly string[]) => {
    const { page: _page, status: _status, attention: _attention, ...kept } = list.key()
    return { query: { ...kept, ...status.length > 0 ? { status: [...status] } : {} } }
  }
  /** What needs attention is counted for the whole clinic, so its list has no other filters. */
  const waitingAt = (attention: string) => ({
    query: { ...(list.one('sort') ? { sort: list.one('sort') } : {}), attention }
  })
  const tabs = computed(() => TABS.map(({ key, states: wanted }) => ({
    key,
    to: viewAt(wanted),
    current: !attention.value && String([...states.value].sort()) === String(wanted),
    count: data.value && sum((wanted.length > 0 ? wanted : NEWEST).map(state => data.value!.counts[state]))
  })))
  const kinds = computed(() =>
    ATTENTION.map(kind => ({
      kind,
      to: waitingAt(kind),
      current: attention.value === kind,
      count: data.value?.waiting[kind].total ?? null
    }))
  )

  return { list, filters, filterCount, asked, attention, tabs, kinds, rows, total, more, error, loading, load }
}

const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0)
