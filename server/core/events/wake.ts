import { sql, type SQL } from 'drizzle-orm'
import type { AnyTx } from '@svc/kit'
import { rowsOf } from '../db/rows.ts'
import { currentTrace, toTraceparent } from '../trace-context.ts'

export interface Line { module: string, line: string }
/** With the trace of the caller, so that the delivery's span can point at it. */
export interface Wake extends Line { traceparent?: string }

/** The job for one line, of a statement that may do more. */
export const addDispatch = (line: SQL, in_seconds = 0): SQL =>
  sql`graphile_worker.add_job('dispatch', ${line}, run_at => clock_timestamp() + ${in_seconds}::float8 * interval '1 second')`

/**
 * Asks the job library to look at these lines, now or in `in_seconds` (of the wall clock: a transaction can be old),
 * once it commits. Without a job_key on purpose: where a keyed job starts between the two statements of
 * graphile_worker.add_jobs, its `on conflict … where locked_at is null` changes nothing and the wake is lost. One too
 * many costs a SELECT.
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

/** Lines whose oldest open delivery is due: what a crash or a stopped module left behind. Returns how many. */
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
