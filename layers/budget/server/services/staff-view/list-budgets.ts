import type { Ctx } from '@svc/kit'
import { formatMoney } from '@svc/kit/money'
import type { ListQuery, ListRow } from '../../../shared/contract.ts'
import { idsOfNumbers } from '../../db/external-ids.ts'
import { countByStatus } from '../../db/reports/counts.ts'
import { countUpTo, findSome, listPage, type ListedBudget, type ListFilter } from '../../db/list.ts'
import { STATUSES, type Status } from '../../../shared/domain/budget-state.ts'
import { deliveryOf } from '../link/link-state.ts'

export interface BudgetList {
  rows: ListRow[]
  total: number
  total_is_exact: boolean
  /** Per state, with all filters except the state. */
  counts: Record<Status, number>
}

/** Up to this number, a filtered total is exact. */
const LIMIT = 10_000
/** Up to this number, the results of a search are passed on as ids. */
const FEW = 500

/** One page with counts per state. A filtered total above `LIMIT` is a lower bound, and `total_is_exact` is false. */
export async function listBudgets(
  ctx: Ctx,
  { clinic_id, sort, page, page_size, locked, ...rest }: ListQuery & { clinic_id: string }
): Promise<BudgetList> {
  const filter: ListFilter = { clinic_id, ...rest, locked: locked && locked === 'true' }
  const found = filter.search ? await findSome(ctx.db, { ...filter, status: undefined }, FEW + 1) : null
  if (found && found.length <= FEW)
    return await pageOfFound(ctx, { clinic_id, status: filter.status, found, order: { sort, page, page_size } })
  const [rows, counted] = await Promise.all([
    listPage(ctx.db, filter, { sort, page, page_size }),
    countAll(ctx, filter)
  ])
  return { rows: await toRows(ctx, clinic_id, rows), ...counted }
}

type Found = Awaited<ReturnType<typeof findSome>>
interface FoundPage {
  clinic_id: string
  status: Status[] | undefined
  found: Found
  order: Parameters<typeof listPage>[2]
}

/** Searching a common first name scans much of the search's index, so page and counts come from a single scan. */
async function pageOfFound(
  ctx: Ctx,
  { clinic_id, status = [...STATUSES], found, order }: FoundPage
): Promise<BudgetList> {
  const byStatus = Map.groupBy(found, row => row.status)
  const wanted = [...new Set(status)].flatMap(name => byStatus.get(name) ?? [])
  const counts = Object.fromEntries(
    STATUSES.map(name => [name, byStatus.get(name)?.length ?? 0])
  ) as BudgetList['counts']
  const rows = await listPage(ctx.db, { clinic_id, ids: wanted.map(({ id }) => id) }, order)
  return { rows: await toRows(ctx, clinic_id, rows), counts, total: wanted.length, total_is_exact: true }
}

async function countAll(ctx: Ctx, { status, ...filter }: ListFilter): Promise<Omit<BudgetList, 'rows'>> {
  const isPlain
    = !filter.attention
      && !filter.search
      && !filter.patient_id
      && !filter.professional_id
      && !filter.expires_before
      && filter.locked === undefined
  const found = isPlain ? await countByStatus(ctx.db, filter.clinic_id) : await countUpTo(ctx.db, filter, LIMIT + 1)
  const counts = Object.fromEntries(STATUSES.map(name => [name, found.get(name) ?? 0])) as BudgetList['counts']
  const isWhole = isPlain || sum(found.values()) <= LIMIT
  if (isWhole)
    return { counts, total: sum([...new Set(status ?? STATUSES)].map(name => counts[name])), total_is_exact: true }
  const total = status ? sum((await countUpTo(ctx.db, { ...filter, status }, LIMIT + 1)).values()) : LIMIT + 1
  return { counts, total: Math.min(total, LIMIT), total_is_exact: total <= LIMIT }
}

const sum = (numbers: Iterable<number>) => [...numbers].reduce((all, n) => all + n, 0)

export async function toRows(ctx: Ctx, clinic_id: string, rows: ListedBudget[]): Promise<ListRow[]> {
  const ids = await idsOfNumbers(ctx, clinic_id, rows.map(({ number }) => number))
  return rows.map(row => toRow(row, ids.get(row.number) ?? {}))
}

const toRow = (row: ListedBudget, external_ids: ListRow['external_ids']): ListRow => ({
  id: row.id,
  number: row.number,
  version: row.version,
  status: row.status,
  patient: { id: row.patient_id, first_name: row.patient_first_name, last_name: row.patient_last_name },
  professional: row.professional_id === null ? null : { id: row.professional_id, name: row.professional_name ?? '' },
  currency: row.currency,
  total: formatMoney(row.total, row.currency),
  ...rangeOf(row),
  valid_until: row.valid_until,
  expires_at: iso(row.expires_at),
  created_at: row.created_at.toISOString(),
  sent_at: iso(row.sent_at),
  viewed_at: iso(row.viewed_at),
  decided_at: iso(row.decided_at),
  withdrawn_at: iso(row.withdrawn_at),
  open_question: row.open_question,
  locked: row.locked_until !== null,
  locked_until: iso(row.locked_until),
  ...deliveryOf(row),
  signed_pdf: { status: row.signed_pdf_status },
  external_ids
})

const iso = (at: Date | null) => at?.toISOString() ?? null

/** The lowest and the highest total of the choices. */
const rangeOf = ({ price_from, price_to, currency }: ListedBudget) =>
  price_from === null || price_to === null
    ? {}
    : { price_from: formatMoney(price_from, currency), price_to: formatMoney(price_to, currency) }
