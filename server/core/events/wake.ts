import { sql } from 'drizzle-orm'
import type { AnyTx } from '@svc/kit'
import * as z from 'zod'
import { queueNotices } from '../db/notices.ts'
import { rowsOf } from '../db/rows.ts'
import { currentTrace, toTraceparent } from '../trace-context.ts'

export interface Line { module: string, line: string }
/** Includes the trace of the caller, so that the delivery's span can link to it. */
const Wake = z.object({ module: z.string(), line: z.string(), traceparent: z.string().optional() })
export type Wake = z.infer<typeof Wake>
const Notice = z.union([Wake, z.object({ webhook_id: z.string() })])
export type Notice = z.infer<typeof Notice>

/** Makes a process check these lines, once this commits. */
export async function wakeLines(tx: AnyTx, lines: Line[]): Promise<void> {
  const trace = currentTrace()
  const traceparent = trace ? toTraceparent(trace) : undefined
  await queueNotices(tx, lines.map((line): Wake => ({ ...line, traceparent })))
}

/** Null if it names nothing. Any role of the database may send a notice. */
export function readNotice(text: string): Notice | null {
  const read = Notice.safeParse(parsed(text))
  return read.success ? read.data : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Lines whose oldest open delivery is due, including those that a crash or a stopped module has left. */
export async function findDueLines(tx: AnyTx, running: string[], max: number): Promise<Line[]> {
  return await rowsOf<Line>(tx, sql`
    select module_name as module, line from (
      select distinct on (module_name, line) module_name, line, next_attempt_at from core_delivery
      where status = 'pending' order by module_name, line, id
    ) as oldest
    where next_attempt_at <= now()
      and module_name in (select jsonb_array_elements_text(${JSON.stringify(running)}::text::jsonb))
    order by next_attempt_at limit ${max}::int`)
}
