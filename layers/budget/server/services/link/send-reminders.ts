import { randomUUID } from 'node:crypto'
import type { Clinic, Ctx, Tx } from '@svc/kit'
import { insertReminder, listDue, lockDue, type ReminderRule } from '../../db/reminders.ts'
import { isQuiet } from '../../../shared/domain/quiet-hours.ts'
import { queueReminder } from './deliver-link.ts'
import { findPatient } from '../draft/dependencies.ts'
import { logAccess } from '../proof/log-access.ts'
import { publishFact } from '../decision/publish-fact.ts'
import { findLink, saveDelivery, type LinkRow } from '../../db/links.ts'
import { releaseHeld } from './address/release-held.ts'
import { hasMoved } from './address/sent-to.ts'

/** The scheduled job. What fails in one clinic is thrown after the others had their turn. */
export async function sendReminders(ctx: Ctx): Promise<void> {
  const now = await ctx.clock.now()
  const errors: unknown[] = []
  for (const clinic of await ctx.clinics.list()) {
    await remindIn(ctx, clinic, now).catch((error: unknown) => errors.push(error))
  }
  if (errors.length > 0)
    throw new AggregateError(errors, `reminders failed in ${errors.length} clinics: ${String(errors[0])}`)
}

/** The latest reminder first: of several that are due only that one goes out. */
async function remindIn(
  ctx: Ctx,
  { id: clinic_id, time_zone, reminders, reminders_since: since }: Clinic,
  now: Date
): Promise<void> {
  await releaseHeld(ctx, clinic_id) // also where reminders are off: an answer to a question is held as well
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
 * One transaction each: the reminder's row, which no second instance can write, the message, the event, the log row.
 * A patient without an address is passed over, for this reminder for good. One whose address may not be the one that
 * the link went to gets the reminder if the staff confirm the address while it is due.
 */
async function remind(
  ctx: Ctx,
  rule: ReminderRule,
  { id, patient_id }: { id: string, patient_id: string }
): Promise<void> {
  // Asked before the transaction: another module answers through another connection.
  const patient = await findPatient(ctx, rule.clinic_id, patient_id)
  await ctx.db.transaction(async (tx) => {
    const budget = await lockDue(tx, rule, id)
    if (!budget) return
    const link = await findLink(tx, id)
    if (hasMoved(ctx, link, patient)) return await holdReminder(ctx, tx, { link: link!, days: rule.days })
    const message_id = patient?.email ? randomUUID() : null
    const isFirst = await insertReminder(tx, { budget_id: id, clinic_id: rule.clinic_id, days: rule.days, message_id })
    if (!isFirst || message_id === null) return

    await queueReminder(ctx, tx, { budget, message_id })
    const sent_at = (await ctx.clock.now(tx)).toISOString()
    await publishFact(ctx, tx, { name: 'budget.reminder_sent', budget, fields: { channel: 'email', sent_at } })
    await logAccess(ctx, tx, {
      budget_id: id,
      action: 'link_resent',
      actor: 'system',
      detail: { channel: 'email', new_link: false, days: rule.days }
    })
  })
}

/** The link was delivered: only the reason is kept, which the staff see until they resend it. Logged once. */
async function holdReminder(ctx: Ctx, tx: Tx, { link, days }: { link: LinkRow, days: number }): Promise<void> {
  const { budget_id, delivery_error } = link
  if (delivery_error === 'address_changed') return
  await saveDelivery(tx, { budget_id }, { delivery_error: 'address_changed' })
  await logAccess(ctx, tx, {
    budget_id,
    action: 'link_resent',
    success: false,
    actor: 'system',
    detail: { channel: 'email', new_link: false, days, reason: 'address_changed' }
  })
}
