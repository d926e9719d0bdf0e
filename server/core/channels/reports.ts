import { sql } from 'drizzle-orm'
import { problem, type AnyTx, type ChannelMessage, type Deliveries, type DeliveryReport, type ReportTo } from '@svc/kit'
import { rowsOf } from '../db/rows.ts'
import { createJobs } from '../events/publish.ts'
import type { Host } from '../host.ts'
import { toPlainLine } from './plain-line.ts'

const STATES = ['delivered', 'failed']

interface Expected { channel: string, ref: string, message: ChannelMessage, module: string, report: ReportTo }
/** The job that a report goes to, as the row keeps it. */
interface Owner { module: string, message_id: string, clinic_id: string, report: ReportTo }
type DeliveryState = Pick<DeliveryReport, 'state' | 'reason'>

/**
 * Remembers who learns what becomes of a message. A report can be faster than this: then the row exists already, and
 * its report is passed on now. Of two transactions on one row, the second waits for the first.
 */
export async function expectReport({ db }: Host, { channel, ref, message, module, report }: Expected): Promise<void> {
  await db.transaction(async (tx) => {
    const owner: Owner = { module, message_id: message.id, clinic_id: message.clinic_id, report }
    const [row] = await rowsOf<Partial<DeliveryState>>(tx, sql`
      insert into core_channel_message (channel, ref, owner)
      values (${channel}, ${ref}, ${JSON.stringify(owner)}::text::jsonb)
      on conflict (channel, ref) do update set owner = excluded.owner
      returning state, reason`)
    if (!row?.state) return
    await passOn(tx, { channel, ref, owner, delivery: { state: row.state, reason: row.reason ?? null } })
  })
}

/** A module reports only messages of its own channels. */
export function createDeliveries(host: Host, module: string): Deliveries {
  return {
    async report(tx, { channel, ref, state, reason = null }) {
      if (!host.registry.get(module)?.definition.channels?.[channel])
        throw problem('foreign_channel', { detail: `The module ${module} has no channel "${channel}".` })
      if (!STATES.includes(state))
        throw new TypeError(`ctx.deliveries.report takes the state delivered or failed, not ${String(state)}`)
      const delivery: DeliveryState = { state, reason: reason === null ? null : toPlainLine(String(reason)) }
      const owner = await noteReport(tx, { channel, ref, delivery })
      if (owner) await passOn(tx, { channel, ref, owner, delivery })
    }
  }
}

/**
 * Null if no module needs the report: the message isn't known yet, the report is the same as before, or the message was
 * delivered, which no later report changes.
 */
async function noteReport(
  tx: AnyTx,
  { channel, ref, delivery: { state, reason } }: { channel: string, ref: string, delivery: DeliveryState }
): Promise<Owner | null> {
  const [row] = await rowsOf<{ owner: Owner | null }>(tx, sql`
    insert into core_channel_message (channel, ref, state, reason) values (${channel}, ${ref}, ${state}, ${reason})
    on conflict (channel, ref) do update set state = excluded.state, reason = excluded.reason
      where core_channel_message.state is null
        or (core_channel_message.state = 'failed' and excluded.state = 'delivered')
    returning owner`)
  return row?.owner ?? null
}

/** In the order of its key, so that it runs after the job that sent the message. */
async function passOn(
  tx: AnyTx,
  { channel, ref, owner, delivery }: { channel: string, ref: string, owner: Owner, delivery: DeliveryState }
): Promise<void> {
  const { module, message_id, clinic_id, report: { job, key, payload } } = owner
  const report: DeliveryReport & { clinic_id: string } = { message_id, clinic_id, channel, ref, ...delivery }
  await createJobs(module).add(tx, job, { ...payload, ...report }, key === undefined ? {} : { key })
}
