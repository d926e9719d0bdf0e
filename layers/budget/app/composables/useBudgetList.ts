import { ATTENTION, StatusName, type AttentionAnswer, type BudgetDetail } from '../../shared/contract.ts'

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

const FILTERS = { patient_id: ANY, professional_id: ANY, expires_before: ANY, locked: ANY }

/** The list of budgets for the page's URL: one page of it, the number in each tab, and what needs attention. */
export function useBudgetList() {
  const { one, many } = useListState()
  const budgets = useBudgetApi()
  const states = computed(() => many('status').filter((one): one is Status => StatusName.safeParse(one).success))
  const statesFor = (attention: unknown) => states.value.length > 0 || attention ? states.value : NEWEST

  const list = useList(async ({ status: _status, attention, ...query }, signal) => {
    const [found, waiting, all] = await Promise.all([
      budgets.listBudgets({ ...query, attention, status: statesFor(attention) }, signal),
      budgets.listAttention(signal),
      // A response counts what matches its filters, but the tabs' counts must ignore the attention filter.
      attention ? budgets.listBudgets({ ...query, page: 1, page_size: 1 }, signal) : null
    ])
    return { ...found, meta: { ...found.meta, counts: (all ?? found).meta.counts, waiting: waiting.data } }
  }, { sort: '-created_at', filters: { ...FILTERS, attention: ['all', ...ATTENTION], status: ANY } })
  useLive(() => list.load({ quietly: true }), 15)

  const attention = computed(() => list.asked.value.attention)
  const asked = computed(() => ({ ...list.asked.value, status: statesFor(attention.value) }))
  const filterCount = computed(() => Object.keys(FILTERS).filter(name => list.values.value[name] !== 'all').length)
  const counts = computed(() => list.meta.value?.counts as Record<Status, number> | undefined)
  const waiting = computed(() => list.meta.value?.waiting as AttentionAnswer | undefined)

  /** The URL of another tab with the same filters and order. */
  const viewAt = (status: readonly string[]) => {
    const { page: _page, status: _status, attention: _attention, ...kept } = list.key()
    return { query: { ...kept, ...status.length > 0 ? { status: [...status] } : {} } }
  }
  /** What needs attention is counted for the whole clinic, so its list has no other filters. */
  const waitingAt = (attention: string) => ({
    query: { ...(one('sort') ? { sort: one('sort') } : {}), attention }
  })
  const tabs = computed(() => TABS.map(({ key, states: wanted }) => ({
    key,
    to: viewAt(wanted),
    current: !attention.value && String([...states.value].sort()) === String(wanted),
    count: counts.value ? sum((wanted.length > 0 ? wanted : NEWEST).map(state => counts.value![state])) : null
  })))
  const kinds = computed(() =>
    ATTENTION.map(kind => ({
      kind,
      to: waitingAt(kind),
      current: attention.value === kind,
      count: waiting.value?.[kind].total ?? null
    }))
  )

  return { list: { ...list, asked }, filterCount, attention, tabs, kinds }
}

const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0)
