import { randomUUID } from 'node:crypto'
import type { ChannelState, Clinic, Ctx, DeliveryReport, Tx } from '@svc/kit'
import type { Patient } from '@svc/kit/modules/clinical'
import { findBudget, type BudgetKey, type BudgetRow } from '../../db/budgets.ts'
import { findLink, saveDelivery, saveReport, type LinkRow } from '../../db/links.ts'
import { forgetReminder } from '../../db/reminders.ts'
import { statusAt, type Status } from '../../../shared/domain/budget-state.ts'
import { isQuiet } from '../../../shared/domain/quiet-hours.ts'
import type { BudgetSettings } from '../../../shared/settings.ts'
import { settingsOf } from '../../settings.ts'
import { MANUAL, findChannel } from '../budget/channels.ts'
import { findPatient } from '../budget/dependencies.ts'
import { hasMoved, rememberAddress } from './address/sent-to.ts'
import type { Route } from './channel/find-route.ts'
import { sendMessage, type Message } from './channel/send-message.ts'
import { writeLink } from './channel/write-link.ts'
import { linkUrl } from './link-state.ts'

export const DELIVER_LINK = 'deliver-link'
export const NOTE_DELIVERY = 'note-delivery'

export interface DeliverLink extends BudgetKey {
  kind: 'sent' | 'again'
  message: string | null
  /** Missing in jobs of an earlier release. */
  message_id?: string
  /** An automatic reminder. */
  automatic?: boolean
}
type At = Pick<Message, 'budget_id' | 'message_id'>
interface Order { budget: BudgetRow, route: Route, kind: 'sent' | 'again', message?: string | null }

/**
 * Each message has its own line: one that waits for a retry, because its channel is down, must not delay the next one,
 * which may go by another channel. The waiting one is then not sent any more.
 */
const lineOf = (message_id: string) => `message:${message_id}`

/** A link handed over by hand sends no message. Messages that are still queued are not sent any more. */
export async function queueMessage(
  ctx: Ctx,
  tx: Tx,
  { budget, route: { channel, to }, kind, message = null }: Order
): Promise<void> {
  const message_id = randomUUID()
  await saveDelivery(tx, { budget_id: budget.id }, {
    channel,
    delivery: to === null ? 'none' : 'queued',
    delivery_error: null,
    delivered_at: null,
    delivered_via: null,
    message_id
  })
  if (to === null) return
  const link = await findLink(tx, budget.id)
  await rememberAddress(ctx, tx, { link: link!, channel, to })
  const job: DeliverLink = { clinic_id: budget.clinic_id, id: budget.id, kind, message, message_id }
  await ctx.jobs.add(tx, DELIVER_LINK, { ...job }, { key: lineOf(message_id) })
}

/** The last message's result is kept until the reminder has its own. */
export async function queueReminder(
  ctx: Ctx,
  tx: Tx,
  { budget, message_id }: { budget: BudgetRow, message_id: string }
): Promise<void> {
  await saveDelivery(tx, { budget_id: budget.id }, { message_id })
  const job: DeliverLink = {
    clinic_id: budget.clinic_id,
    id: budget.id,
    kind: 'again',
    message: null,
    message_id,
    automatic: true
  }
  await ctx.jobs.add(tx, DELIVER_LINK, { ...job }, { key: lineOf(message_id) })
}

/**
 * The job: sends the current link in the patient's language. A failure is stored for staff. Unless it is final, it is
 * also thrown, so that the job is retried.
 */
export async function deliverLink(
  ctx: Ctx,
  { kind, message, message_id, automatic = false, ...key }: DeliverLink
): Promise<void> {
  const budget = await findBudget(ctx.db, key)
  const link = budget && (await findLink(ctx.db, budget.id))
  if (!budget || !link || !linkUrl(ctx, link) || isOutdated(link, message_id)) return
  const at: At = { budget_id: budget.id, message_id }
  const [clinic, patient, now] = [
    await ctx.clinics.get(budget.clinic_id),
    await findPatient(ctx, budget.clinic_id, budget.patient_id),
    await ctx.clock.now()
  ]
  const status = statusAt(budget, now)
  if (automatic && !isWanted(await settingsOf(ctx, budget.clinic_id), { clinic, status, link, now }))
    return await forgetFailure(ctx, at, link)
  const channel = await getChannel(ctx, { budget, link, patient, at })
  if (!patient || !channel?.address)
    return await fail(ctx, at, link.channel === 'email' ? 'no_email' : 'no_address')
  const addressee = { channel: channel.name, to: channel.address, updated_at: patient.updated_at }
  if (await hasMoved(ctx, ctx.db, link, addressee)) return await hold(ctx, at, automatic)

  const locale = patient.locale ?? budget.locale
  await sendMessage(ctx, {
    ...at,
    link,
    channel,
    to: channel.address,
    patient_id: patient.id,
    kind: automatic || kind === 'again' ? 'reminder' : 'link',
    ...writeLink(ctx, { budget, link, clinic, locale, kind, status, message, short: channel.short }),
    report: { job: NOTE_DELIVERY, key: lineOf(message_id ?? budget.id), payload: { budget_id: budget.id } }
  })
}

interface Delivery { budget: BudgetRow, link: LinkRow, patient: Patient | null, at: At }

/** Null if it has no such patient. A channel that is missing or not ready is thrown, and tried again later. */
async function getChannel(ctx: Ctx, { budget, link, patient, at }: Delivery): Promise<ChannelState | null> {
  if (!patient) return null
  const name = link.channel ?? 'email'
  const found = name === MANUAL ? null : await findChannel(ctx, name, { clinic_id: budget.clinic_id, patient })
  if (found?.ready) return found
  await fail(ctx, at, found ? 'channel_not_ready' : 'channel_missing', found?.reason)
  throw new Error(found ? `the channel ${name} is not ready: ${found.reason}` : `there is no channel ${name}`)
}

const fail = ({ db }: Ctx, at: At, code: string, delivery_reason: string | null = null) =>
  saveDelivery(db, at, { delivery: 'failed', delivery_error: code, delivery_reason })

/** The job of a channel's report. */
export async function noteDelivery(
  { db }: Ctx,
  { budget_id, message_id, state, reason }: DeliveryReport & { budget_id: string }
): Promise<void> {
  await saveReport(db, { budget_id, message_id }, { state, reason, error: 'not_delivered' })
}

/** A held reminder keeps the result of the earlier message, and is due again once the address is confirmed. */
async function hold(
  { db }: Ctx,
  at: { budget_id: string, message_id?: string | undefined },
  automatic: boolean
): Promise<void> {
  const { budget_id, message_id } = at
  if (!automatic) return await saveDelivery(db, at, { delivery: 'failed', delivery_error: 'address_changed' })
  await db.transaction(async (tx) => {
    await saveDelivery(tx, at, { delivery_error: 'address_changed' })
    if (message_id) await forgetReminder(tx, { budget_id, message_id })
  })
}

/** True if staff have since ordered another message, handed over the link, or cancelled the budget. */
const isOutdated = (link: LinkRow, message_id: string | undefined) =>
  message_id !== undefined && link.message_id !== message_id

/** Throws if the reminder must wait, for instance because a mail server was down until the evening. */
function isWanted(
  { reminders }: BudgetSettings,
  { clinic, status, link, now }: { clinic: Clinic, status: Status, link: LinkRow, now: Date }
): boolean {
  const isLocked = link.locked_until !== null && link.locked_until > now
  if (!reminders.enabled || status !== 'sent' || isLocked) return false
  if (isQuiet(reminders, clinic.time_zone, now)) throw new Error('the reminder waits for the end of the quiet hours')
  return true
}

/** A failed reminder that is no longer wanted needs no attention. */
async function forgetFailure(ctx: Ctx, at: At, { delivery }: LinkRow): Promise<void> {
  if (delivery === 'failed') await saveDelivery(ctx.db, at, { delivery: 'none', delivery_error: null })
}
