import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { Status } from '../../shared/domain/budget-state.ts'
import { budget } from './schema.ts'

/**
 * The open versions of a clinic that are past their end: the job of the minute has not reached them. An index has them.
 */
export const isOver = (clinic_id: string): SQL | undefined =>
  and(eq(budget.clinic_id, clinic_id), eq(budget.status, 'sent'), sql`${budget.expires_at} <= now()`)

/** Their ids, read once for a whole statement, so that it can still walk another index without reading rows. */
export const overIds = (clinic_id: string): SQL => sql`(select ${budget.id} from ${budget} where ${isOver(clinic_id)})`

/** As `statusAt`, by the database's clock. */
export const statusNow = (clinic_id: string): SQL<Status> =>
  sql`case when ${budget.status} = 'sent' and ${budget.id} in ${overIds(clinic_id)} then 'expired' else ${budget.status} end`
