import { randomUUID } from 'node:crypto'
import type { Clinic, Ctx, MailMessage, Tx } from '@svc/kit'
import { findBudget, type BudgetKey, type BudgetRow } from '../../db/budgets.ts'
import { findLink, saveDelivery, type LinkRow } from '../../db/links.ts'
import { forgetReminder } from '../../db/reminders.ts'
import { statusAt, type Status } from '../../../shared/domain/budget-state.ts'
import { classifyFailure } from '../../../shared/domain/delivery-error.ts'
import { isQuiet } from '../../../shared/domain/quiet-hours.ts'
import type { BudgetSettings } from '../../../shared/settings.ts'
import { settingsOf } from '../../settings.ts'
import { linkMessage } from '../../mail/link-message.ts'
import { findPatient } from '../budget/dependencies.ts'
import { linkUrl } from './link-state.ts'
import { hasMoved, sealAddress } from './address/sent-to.ts'

export const DELIVER_LINK = 'deliver-link'

export interface DeliverLink extends BudgetKey {
  kind: 'sent' | 'again'
  message: string | null
  /** Missing in jobs of an earlier release. */
  message_id?: string
  /** An automatic reminder. */
  automatic?: boolean
}
/** `to`: the patient's address; null if the link is handed over by hand. */
interface Order { budget: BudgetRow, to: string | null, kind: 'sent' | 'again', message?: string | null }

/**
 * A link handed over by hand sends no message. Messages that are still queued are not sent any more. The job has its
 * own line, so that a mail server that is down does not delay the sealing.
 */
export async function queueMessage(ctx: Ctx, tx: Tx, { budget, to, kind, message = null }: Order): Promise<void> {
  const message_id = randomUUID()
  await saveDelivery(tx, { budget_id: budget.id }, {
    channel: to === null ? 'manual' : 'email',
    delivery: to === null ? 'none' : 'queued',
    delivery_error: null,
    delivered_at: null,
    delivered_via: null,
    message_id,
    ...to === null ? {} : { sent_to_sealed: sealAddress(ctx, to) }
  })
  if (to === null) return
  const job: DeliverLink = { clinic_id: budget.clinic_id, id: budget.id, kind, message, message_id }
  await ctx.jobs.add(tx, DELIVER_LINK, { ...job }, { key: `mail:${budget.id}` })
}

/**
 * The last message's result is kept until the reminder has its own. Reminders have a separate line: while they wait for
 * the morning, they must not delay messages of the staff.
 */
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
  await ctx.jobs.add(tx, DELIVER_LINK, { ...job }, { key: `reminder:${budget.id}` })
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
  const url = linkUrl(ctx, link)
  if (!budget || !link || !url || isOutdated(link, message_id)) return
  const at = { budget_id: budget.id, message_id }
  const [clinic, patient, now] = [
    await ctx.clinics.get(budget.clinic_id),
    await findPatient(ctx, budget.clinic_id, budget.patient_id),
    await ctx.clock.now()
  ]
  const status = statusAt(budget, now)
  if (automatic && !isWanted(await settingsOf(ctx, budget.clinic_id), { clinic, status, link, now }))
    return await forgetFailure(ctx, at, link)
  if (!patient?.email) return await saveDelivery(ctx.db, at, { delivery: 'failed', delivery_error: 'no_email' })
  if (hasMoved(ctx, link, patient)) return await hold(ctx, at, automatic)

  const { patient_first_name, valid_until, time_zone } = budget
  const mail = linkMessage({
    locale: patient.locale ?? budget.locale,
    kind,
    status,
    clinic,
    patient_first_name,
    url,
    valid_until,
    time_zone,
    message
  })
  await sendLetter(ctx, at, {
    to: patient.email,
    id: message_id,
    ...mail,
    ...(clinic.email ? { reply_to: clinic.email } : {})
  })
}

/** A held reminder keeps the result of the earlier message, and is due again once the address is confirmed. */
async function hold(
  { db }: Ctx,
  at: { budget_id: string, message_id?: string },
  automatic: boolean
): Promise<void> {
  const { budget_id, message_id } = at
  if (!automatic) return await saveDelivery(db, at, { delivery: 'failed', delivery_error: 'address_changed' })
  await db.transaction(async (tx) => {
    await saveDelivery(tx, at, { delivery_error: 'address_changed' })
    if (message_id) await forgetReminder(tx, { budget_id, message_id })
  })
}

async function sendLetter(
  ctx: Ctx,
  at: { budget_id: string, message_id?: string },
  mail: MailMessage
): Promise<void> {
  const sent = await ctx.mail.send(mail).catch((error: unknown) => ({ error, ...classifyFailure(error) }))
  if ('via' in sent)
    return await saveDelivery(ctx.db, at, {
      delivery: 'sent',
      delivery_error: null,
      delivered_at: await ctx.clock.now(),
      delivered_via: sent.via,
      sent_to_sealed: sealAddress(ctx, mail.to)
    })
  await saveDelivery(ctx.db, at, { delivery: 'failed', delivery_error: sent.code })
  if (!sent.is_final) throw sent.error
  ctx.log.warn('link.refused', { budget_id: at.budget_id, error: sent.error })
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
async function forgetFailure(
  ctx: Ctx,
  at: { budget_id: string, message_id?: string },
  { delivery }: LinkRow
): Promise<void> {
  if (delivery === 'failed') await saveDelivery(ctx.db, at, { delivery: 'none', delivery_error: null })
}
