import { randomUUID } from 'node:crypto'
import type { Clinic, Ctx, Tx } from '@svc/kit'
import { insertReminder, listDue, lockDue, type ReminderRule } from '../../db/reminders.ts'
import { isQuiet } from '../../../shared/domain/quiet-hours.ts'
import { queueReminder } from './deliver-link.ts'
import { findChannel } from '../budget/channels.ts'
import { findPatient } from '../budget/dependencies.ts'
import { logAccess } from '../log/log-access.ts'
import { publishFact } from '../budget/publish-fact.ts'
import { findLink, saveDelivery, type LinkRow } from '../../db/links.ts'
import { remindersSince, settingsOf } from '../../settings.ts'
import { releaseHeld } from './address/release-held.ts'
import { hasMoved } from './address/sent-to.ts'

/** The scheduled job. An error in one clinic is thrown after all other clinics were processed. */
export async function sendReminders(ctx: Ctx): Promise<void> {
  const now = await ctx.clock.now()
  const errors: unknown[] = []
  for (const clinic of await ctx.clinics.list()) {
    await remindIn(ctx, clinic, now).catch((error: unknown) => errors.push(error))
  }
  if (errors.length > 0)
    throw new AggregateError(errors, `reminders failed in ${errors.length} clinics: ${String(errors[0])}`)
}

/** The latest reminder first: if several are due, only that one is sent. */
async function remindIn(
  ctx: Ctx,
  { id: clinic_id, time_zone }: Clinic,
  now: Date
): Promise<void> {
  await releaseHeld(ctx, clinic_id) // also if reminders are off, because answers to questions are held too
  const [{ reminders }, since] = await Promise.all([settingsOf(ctx, clinic_id), remindersSince(ctx, clinic_id)])
  if (!reminders.enabled || since === null || isQuiet(reminders, time_zone, now)) return
  for (const days of reminders.days.toReversed()) await remindAll(ctx, { clinic_id, time_zone, days, since })
}

async function remindAll(ctx: Ctx, rule: ReminderRule): Promise<void> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const due = await listDue(ctx.db, rule, after)
    if (due.length === 0) return
    for (const budget of due) await remind(ctx, rule, budget)
    after = due.at(-1)!.id
  }
}

/**
 * One transaction each for the reminder's row, which prevents a second instance from sending it, the message, the event
 * and the log row. It goes by the channel of the link, once that is ready. A patient without an address is skipped, for
 * this reminder permanently. If the patient's address may have changed since the link was sent, the reminder is sent if
 * staff confirm the address while it is due.
 */
async function remind(
  ctx: Ctx,
  rule: ReminderRule,
  { id, patient_id }: { id: string, patient_id: string }
): Promise<void> {
  // Called before the transaction, because other modules use another connection.
  const patient = await findPatient(ctx, rule.clinic_id, patient_id)
  const name = (await findLink(ctx.db, id))?.channel
  const found = name ? await findChannel(ctx, name, { clinic_id: rule.clinic_id, patient }) : null
  if (!found?.ready) return
  const { name: channel, address: to } = found
  await ctx.db.transaction(async (tx) => {
    const budget = await lockDue(tx, rule, id)
    const link = budget && await findLink(tx, id)
    if (!budget || link?.channel !== channel) return
    const addressee = { channel, to, updated_at: patient?.updated_at ?? '' }
    if (await hasMoved(ctx, tx, link, addressee)) return await holdReminder(ctx, tx, { link, days: rule.days })
    const message_id = to === null ? null : randomUUID()
    const isFirst = await insertReminder(tx, { budget_id: id, clinic_id: rule.clinic_id, days: rule.days, message_id })
    if (!isFirst || message_id === null) return

    await queueReminder(ctx, tx, { budget, message_id })
    const sent_at = (await ctx.clock.now(tx)).toISOString()
    await publishFact(ctx, tx, { name: 'budget.reminder_sent', budget, fields: { channel, sent_at } })
    await logAccess(ctx, tx, {
      budget_id: id,
      action: 'link_resent',
      actor: 'system',
      detail: { channel, new_link: false, days: rule.days }
    })
  })
}

/** The link itself was delivered, so only the reason is stored, which staff see until they resend it. Logged once. */
async function holdReminder(ctx: Ctx, tx: Tx, { link, days }: { link: LinkRow, days: number }): Promise<void> {
  const { budget_id, delivery_error, channel } = link
  if (delivery_error === 'address_changed') return
  await saveDelivery(tx, { budget_id }, { delivery_error: 'address_changed' })
  await logAccess(ctx, tx, {
    budget_id,
    action: 'link_resent',
    success: false,
    actor: 'system',
    detail: { channel, new_link: false, days, reason: 'address_changed' }
  })
}
