import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { Status } from '../../shared/domain/budget-state.ts'
import { budget } from './schema.ts'

/** Open versions of a clinic that have expired, but that the job has not yet processed. There is an index for them. */
export const isOver = (clinic_id: string): SQL | undefined =>
  and(eq(budget.clinic_id, clinic_id), eq(budget.status, 'sent'), sql`${budget.expires_at} <= now()`)

/** Their ids, read once per statement, so that it can still scan another index without reading rows. */
export const overIds = (clinic_id: string): SQL => sql`(select ${budget.id} from ${budget} where ${isOver(clinic_id)})`

/** Like `statusAt`, by the database's clock. */
export const statusNow = (clinic_id: string): SQL<Status> =>
  sql`case when ${budget.status} = 'sent' and ${budget.id} in ${overIds(clinic_id)} then 'expired' else ${budget.status} end`
