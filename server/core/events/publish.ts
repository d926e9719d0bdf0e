import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { AnyTx, Ctx } from '@svc/kit'
import { rowsOf } from '../db/rows.ts'
import { queueForWebhooks } from '../webhooks/queue.ts'
import { wakeLines, type Line } from './wake.ts'

/**
 * The outbox: event and deliveries (including those to the clinic's webhooks) are rows of the caller's transaction. The
 * payload gets `event_id` and `occurred_at`, so that a subscriber recognises a repeat. A line is a queue of one module:
 * its deliveries run in order, one at a time. Without a `key` an event has a line of its own.
 */
export function createEvents(subscribers: (name: string) => string[]): Pick<Ctx['events'], 'publish'> {
  return {
    async publish(tx, name, payload, options = {}) {
      const id = randomUUID()
      const modules = subscribers(name)
      const line = `event:${options.key ?? id}`
      await rowsOf(tx, sql`
        with event as (
          insert into core_event (id, name, clinic_id, payload)
          values (${id}::uuid, ${name}, ${payload.clinic_id}::uuid,
            ${JSON.stringify(payload)}::text::jsonb || jsonb_build_object(
            'event_id', ${id}::text, 'occurred_at', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
          returning id, name
        )
        insert into core_delivery (module_name, kind, name, line, event_id)
        select value, 'event', event.name, ${line}::text, event.id
        from event, jsonb_array_elements_text(${JSON.stringify(modules)}::text::jsonb) as subscriber (value)`)
      await wakeLines(tx, modules.map(module => ({ module, line })))
      await queueForWebhooks(tx, { id, name, clinic_id: payload.clinic_id })
      return id
    }
  }
}

/** A job is a delivery to its own module. Without a `key` it has a line of its own and waits for no other. */
export function createJobs(module: string): Ctx['jobs'] {
  return {
    async add(tx, name, payload, options = {}) {
      const line = `job:${options.key ?? randomUUID()}`
      await rowsOf(tx, sql`
        insert into core_delivery (module_name, kind, name, line, payload)
        values (${module}, 'job', ${name}, ${line}, ${JSON.stringify(payload)}::text::jsonb)`)
      await wakeLines(tx, [{ module, line }])
    }
  }
}

/** One tick of a scheduled job. If the previous tick is not done, nothing is added, because it is being retried. */
export async function addTick(tx: AnyTx, { module, name }: { module: string, name: string }): Promise<void> {
  const line = `cron:${name}`
  const added = await rowsOf<Line>(tx, sql`
    insert into core_delivery (module_name, kind, name, line, payload)
    select ${module}, 'job', ${name}, ${line}::text, '{}'::jsonb
    where not exists (select 1 from core_delivery where module_name = ${module} and line = ${line} and status = 'pending')
    returning module_name as module, line`)
  await wakeLines(tx, added)
}
