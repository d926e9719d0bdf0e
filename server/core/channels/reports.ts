import { sql } from 'drizzle-orm'
import { isId, problem, type AnyTx, type ChannelMessage, type Deliveries, type DeliveryReport, type ReportTo } from '@svc/kit'
import { rowsOf } from '../db/rows.ts'
import { createJobs } from '../events/publish.ts'
import type { Host } from '../host.ts'
import { toPlainLine } from './plain-line.ts'

const STATES = ['delivered', 'failed']

interface Expected { channel: string, ref: string, message: ChannelMessage, module: string, report: ReportTo }
/** The job that gets the report, as stored in the row. */
interface Owner { module: string, message_id: string, clinic_id: string, report: ReportTo }
/** While the message is unknown, the row has only the clinic that the report named. */
type KnownOwner = Owner | { clinic_id: string, module?: undefined }
type DeliveryState = Pick<DeliveryReport, 'state' | 'reason'>

/**
 * Stores which job gets the reports about a message. A report can arrive earlier: then the row already exists, and its
 * report is passed on now, unless it was about a message of another clinic. Of two transactions on one row, the second
 * waits for the first.
 */
export async function expectReport({ db }: Host, { channel, ref, message, module, report }: Expected): Promise<void> {
  await db.transaction(async (tx) => {
    const owner: Owner = { module, message_id: message.id, clinic_id: message.clinic_id, report }
    const [row] = await rowsOf<Partial<DeliveryState>>(tx, sql`
      insert into core_channel_message (channel, ref, owner)
      values (${channel}, ${ref}, ${JSON.stringify(owner)}::text::jsonb)
      on conflict (channel, ref) do update set owner = excluded.owner,
        state = case when ${IS_SAME_CLINIC} then core_channel_message.state end,
        reason = case when ${IS_SAME_CLINIC} then core_channel_message.reason end
      returning state, reason`)
    if (!row?.state) return
    await passOn(tx, { channel, ref, owner, delivery: { state: row.state, reason: row.reason ?? null } })
  })
}

/** Whether the stored row and the new one name the same clinic. True if one of them names none. */
const IS_SAME_CLINIC = sql`coalesce(
  core_channel_message.owner ->> 'clinic_id' = excluded.owner ->> 'clinic_id', true)`

/** A module reports only messages of its own channels. */
export function createDeliveries(host: Host, module: string): Deliveries {
  return {
    async report(tx, { channel, ref, clinic_id, state, reason = null }) {
      if (!host.registry.get(module)?.definition.channels?.[channel])
        throw problem('foreign_channel', { detail: `The module ${module} has no channel "${channel}".` })
      if (!STATES.includes(state))
        throw new TypeError(`ctx.deliveries.report takes the state delivered or failed, not ${String(state)}`)
      if (clinic_id !== undefined && !isId(clinic_id))
        throw new TypeError(`ctx.deliveries.report takes the clinic's id or undefined, not ${String(clinic_id)}`)
      const delivery: DeliveryState = { state, reason: reason === null ? null : toPlainLine(String(reason)) }
      const owner = await noteReport(tx, { channel, ref, clinic_id, delivery })
      if (owner?.module) await passOn(tx, { channel, ref, owner, delivery })
    }
  }
}

interface Reported { channel: string, ref: string, clinic_id: string | undefined, delivery: DeliveryState }

/**
 * Null if no module needs the report: it is the same as before, or the message was delivered, which no later report
 * changes. About an unknown message, the last report counts. Throws `foreign_delivery` for a message of another clinic.
 */
async function noteReport(tx: AnyTx, reported: Reported): Promise<KnownOwner | null> {
  const { channel, ref, clinic_id, delivery: { state, reason } } = reported
  const owner = clinic_id === undefined ? null : JSON.stringify({ clinic_id })
  const [row] = await rowsOf<{ owner: KnownOwner | null }>(tx, sql`
    insert into core_channel_message (channel, ref, owner, state, reason)
    values (${channel}, ${ref}, ${owner}::text::jsonb, ${state}, ${reason})
    on conflict (channel, ref) do update set state = excluded.state, reason = excluded.reason,
        owner = case when core_channel_message.owner ? 'module' then core_channel_message.owner else excluded.owner end
      where ${IS_SAME_CLINIC} and (core_channel_message.state is null
          or (core_channel_message.state = 'failed' and excluded.state = 'delivered'))
        or not ${IS_SAME_CLINIC} and not core_channel_message.owner ? 'module'
    returning owner`)
  if (!row && clinic_id !== undefined) await assertOwnClinic(tx, { channel, ref, clinic_id })
  return row?.owner ?? null
}

async function assertOwnClinic(tx: AnyTx, { channel, ref, clinic_id }: Omit<Reported, 'delivery'>): Promise<void> {
  const [foreign] = await rowsOf(tx, sql`
    select from core_channel_message
    where channel = ${channel} and ref = ${ref} and owner ->> 'clinic_id' <> ${clinic_id}`)
  if (foreign) throw problem('foreign_delivery')
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
