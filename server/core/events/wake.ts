import { sql, type SQL } from 'drizzle-orm'
import type { AnyTx } from '@svc/kit'
import { rowsOf } from '../db/rows.ts'
import { currentTrace, toTraceparent } from '../trace-context.ts'

export interface Line { module: string, line: string }
/** Includes the trace of the caller, so that the delivery's span can link to it. */
export interface Wake extends Line { traceparent?: string }

/** The job for one line, as part of a larger statement. */
export const addDispatch = (line: SQL, in_seconds = 0): SQL =>
  sql`graphile_worker.add_job('dispatch', ${line}, run_at => clock_timestamp() + ${in_seconds}::float8 * interval '1 second')`

/**
 * Makes the job library check these lines once the transaction commits, now or in `in_seconds` (by the wall clock,
 * because a transaction can be old). It deliberately uses no job_key: if a keyed job starts between the two statements
 * of graphile_worker.add_jobs, its `on conflict … where locked_at is null` changes nothing, and the wake-up is lost. A
 * superfluous wake-up costs only a SELECT.
 */
export async function wake(tx: AnyTx, lines: Line[], in_seconds = 0): Promise<void> {
  if (lines.length === 0) return
  const trace = currentTrace()
  const traceparent = trace && toTraceparent(trace)
  await rowsOf(tx, sql`
    select count(${addDispatch(sql`line`, in_seconds)})
    from jsonb_array_elements(${JSON.stringify(lines.map(({ module, line }): Wake => ({ module, line, traceparent })))}::text::jsonb) as element (value)
    cross join lateral (select value::json as line) as payload`)
}

/** Wakes lines whose oldest open delivery is due, after a crash or for a module that was stopped. Returns how many. */
export async function wakeDue(tx: AnyTx, running: string[]): Promise<number> {
  const lines = await rowsOf<Line>(tx, sql`
    select module_name as module, line from (
      select distinct on (module_name, line) module_name, line, next_attempt_at from core_delivery
      where status = 'pending' order by module_name, line, id
    ) as oldest
    where next_attempt_at <= now() and module_name in (select jsonb_array_elements_text(${JSON.stringify(running)}::text::jsonb))`)
  await wake(tx, lines)
  return lines.length
}
