import type { Answer } from '../api/useApi.ts'

/** A column of a list. The slot `cell-<key>` replaces its text. */
export interface Column<Row> {
  key: string
  label: string
  text?: (row: Row) => string | null | undefined
  /** Classes of the text. */
  look?: string
  /** The row's page. One column has it, and then its text is the row's link. */
  to?: (row: Row) => string
  /**
   * In the whole list, each row has one line and each column is as wide as its longest text. A column with a share is
   * cut instead: such columns divide the rest of the width by their shares.
   */
  share?: 1 | 2 | 3
  /** Hidden until a person chooses the column. */
  extra?: boolean
  /** Aligns the column to the end, for numbers and money. */
  end?: boolean
  /** The key of the server's `sort` parameter. */
  sort?: string
  /** The smallest width at which the table shows the column. */
  from?: 'md' | 'lg' | 'xl'
  /**
   * The column's place in a card: beside the title, below it without a label, or nowhere (the row's page shows it). By
   * default it is below, with its label.
   */
  card?: 'beside' | 'bare' | 'none'
}

/** The values of a filter that can have any. */
export const ANY: readonly string[] = ['all']

type Filters = Record<string, readonly string[]>
type ListParameters<F extends Filters> = { search: string } & { [Name in keyof F]: Exclude<F[Name][number], 'all'> | undefined }

export type List<Row> = Pick<
  ReturnType<typeof useList<Row, Record<string, string[]>>>,
  | 'search' | 'sort' | 'page' | 'set' | 'toPage' | 'values' | 'choose' | 'filtered' | 'clear' | 'hidden' | 'showAll'
  | 'rows' | 'total' | 'pageSize' | 'more' | 'error' | 'loading' | 'load'
> & { asked: Ref<Record<string, string | readonly string[] | undefined>> }

/**
 * A list whose search, filters, order and page are in the URL. `filters` has the values of each filter. The first is
 * its default, which the URL doesn't name; `all` asks for everything. A response without a `total` is the whole list.
 */
export function useList<Row, const F extends Filters = Record<never, []>>(
  fetch: (asked: ListParameters<F> & { sort: string, page: number }, signal: AbortSignal) => Promise<Answer<Row[]>>,
  { sort, filters = {} as F }: { sort?: string, filters?: F } = {}
) {
  const state = useListState({ sort })

  function valueOf(name: string): string {
    const [usual = 'all', ...others] = filters[name]!
    const value = state.one(name) ?? usual
    return others.length === 0 || others.includes(value) ? value : usual
  }
  const values = computed<Record<string, string>>(() =>
    Object.fromEntries(Object.keys(filters).map(name => [name, valueOf(name)])))
  const asked = computed(() => ({
    ...Object.fromEntries(
      Object.entries(values.value).map(([name, value]) => [name, value === 'all' ? undefined : value])
    ),
    search: state.search.value
  }) as ListParameters<F>)

  const filtered = computed(() =>
    state.search.value !== '' || Object.entries(values.value).some(([name, value]) => value !== filters[name]![0]))
  const { data, error, loading, load } = useLoaded(async (signal) => {
    const answer = await fetch({ ...asked.value, sort: state.sort.value, page: state.page.value }, signal)
    return { ...answer, hidden: await countHidden(answer, signal) }
  }, state.key)
  /** An empty list isn't "nothing yet" while its default filters hide entries. */
  async function countHidden({ data }: Answer<Row[]>, signal: AbortSignal): Promise<number> {
    const hides = Object.values(values.value).some(value => value !== 'all')
    if (!hides || data.length > 0 || filtered.value || state.page.value > 1) return 0
    const everything = Object.fromEntries(Object.keys(filters).map(name => [name, undefined]))
    const all = await fetch({ ...asked.value, ...everything, sort: state.sort.value, page: 1 }, signal)
    return Number(all.meta?.total ?? all.data.length)
  }
  const meta = computed(() => data.value?.meta)
  const isWhole = computed(() => data.value !== null && meta.value?.total === undefined)
  return {
    ...state,
    values,
    asked,
    filtered,
    hidden: computed(() => data.value?.hidden ?? 0),
    /** Sets all filters to everything. */
    showAll: () => state.set(Object.fromEntries(
      Object.entries(filters).map(([name, [usual]]) => [name, usual === 'all' ? undefined : 'all']))),
    /** Sets a filter. */
    choose: (name: string, value: string) => state.set({ [name]: value === filters[name]![0] ? undefined : value }),
    clear: () =>
      state.set({ search: undefined, ...Object.fromEntries(Object.keys(filters).map(name => [name, undefined])) }),
    rows: computed(() => data.value?.data ?? null),
    meta,
    total: computed(() => isWhole.value ? data.value!.data.length : meta.value && Number(meta.value.total)),
    pageSize: computed(() => isWhole.value ? Infinity : Number(meta.value?.page_size) || undefined),
    more: computed(() => meta.value?.total_is_exact === false),
    error,
    loading,
    load
  }
}
