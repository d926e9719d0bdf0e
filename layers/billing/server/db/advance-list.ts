import { and, asc, desc, eq, inArray, or, sql, type SQL } from 'drizzle-orm'
import type { Db } from '@svc/kit'
import type { AdvanceSort } from '../../shared/contract.ts'
import type { AdvanceStatus } from '../../shared/domain/advances.ts'
import type { StoredAdvance } from './advances.ts'
import { advance } from './schema.ts'

export interface AdvanceFilter {
  clinic_id: string
  status?: AdvanceStatus[]
  patient_id?: string
  budget_number?: string
}

/** Must match `advanceStatus` of shared/domain/advances.ts. */
const STATUS: Record<AdvanceStatus, SQL> = {
  open: sql`${advance.balance} > 0`,
  applied: sql`(${advance.balance} = 0 and ${advance.returned} < ${advance.amount})`,
  returned: sql`(${advance.balance} = 0 and ${advance.returned} = ${advance.amount})`
}
const statusName = sql<AdvanceStatus>`
  case when ${STATUS.open} then 'open' when ${STATUS.applied} then 'applied' else 'returned' end`

const { paid_at, issued_at, number, id } = advance
/** Written exactly like the index. A later number never has an earlier time of issue. */
const ORDERS: Record<AdvanceSort, SQL[]> = {
  'paid_at': [sql`${paid_at} nulls first`, sql`${id} nulls first`],
  '-paid_at': [sql`${desc(paid_at)} nulls last`, sql`${desc(id)} nulls last`],
  'number': [asc(issued_at), sql`length(${number})`, asc(number)],
  '-number': [desc(issued_at), sql`length(${number}) desc`, desc(number)]
}

const conditions = ({ clinic_id, status, patient_id, budget_number }: AdvanceFilter): SQL | undefined => and(
  eq(advance.clinic_id, clinic_id),
  status && or(...status.map(name => STATUS[name])),
  patient_id ? eq(advance.patient_id, patient_id) : undefined,
  budget_number ? eq(advance.budget_number, budget_number) : undefined)

export async function listPage(
  db: Db,
  filter: AdvanceFilter,
  { sort, page, page_size }: { sort: AdvanceSort, page: number, page_size: number }
): Promise<StoredAdvance[]> {
  return await db
    .select()
    .from(advance)
    .where(conditions(filter))
    .orderBy(...ORDERS[sort])
    .limit(page_size)
    .offset((page - 1) * page_size)
}

/** By status. Statuses without advances are missing. */
export async function countByStatus(db: Db, filter: AdvanceFilter): Promise<Map<AdvanceStatus, number>> {
  const rows = await db
    .select({ status: statusName, n: sql<number>`count(*)::int` })
    .from(advance)
    .where(conditions({ ...filter, status: undefined }))
    .groupBy(sql`1`)
  return new Map(rows.map(row => [row.status, row.n]))
}

/** All ids of the list, in order, packed for `idBatches` of the kit. */
export async function packAdvanceIds(db: Db, filter: AdvanceFilter, sort: AdvanceSort): Promise<Uint8Array> {
  const packed = sql<Buffer>`string_agg(uuid_send(${id}), ''::bytea order by ${sql.join(ORDERS[sort], sql`, `)})`
  const [row] = await db.select({ packed }).from(advance).where(conditions(filter))
  return row!.packed ?? Buffer.alloc(0)
}

/** In no particular order. */
export async function findAdvances(
  db: Db,
  { clinic_id, ids }: { clinic_id: string, ids: string[] }
): Promise<StoredAdvance[]> {
  return await db.select().from(advance).where(and(eq(advance.clinic_id, clinic_id), inArray(id, ids)))
}
