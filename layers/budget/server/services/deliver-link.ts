import type { Ctx, Tx } from '@svc/kit'
import { findBudget, type BudgetKey, type BudgetRow } from '../db/budgets.ts'
import { findLink, saveDelivery } from '../db/links.ts'
import { statusAt } from '../domain/budget-state.ts'
import { linkMessage } from '../mail/link-message.ts'
import { findPatient } from './dependencies.ts'
import { linkUrl } from './link-state.ts'

export const DELIVER_LINK = 'deliver-link'

export interface DeliverLink extends BudgetKey { kind: 'sent' | 'again', message: string | null }
interface Order { budget: BudgetRow, channel: 'email' | 'manual', kind: 'sent' | 'again', message?: string | null }

/** By hand nothing is sent. The job has a line of its own: a mail server that is down holds up no sealing. */
export async function queueMessage(ctx: Ctx, tx: Tx, { budget, channel, kind, message = null }: Order): Promise<void> {
  await saveDelivery(tx, budget.id, { channel, delivery: channel === 'email' ? 'queued' : 'none', delivery_error: null, delivered_at: null })
  if (channel === 'manual') return
  await ctx.jobs.add(tx, DELIVER_LINK, { clinic_id: budget.clinic_id, id: budget.id, kind, message }, { key: `mail:${budget.id}` })
}

/**
 * The job: sends the link that stands now, in the patient's language. A refusal of the mail server is kept for the
 * staff to see, and thrown, so that the job is tried again.
 */
export async function deliverLink(ctx: Ctx, { kind, message, ...key }: DeliverLink): Promise<void> {
  const budget = await findBudget(ctx.db, key)
  const url = budget && linkUrl(ctx, await findLink(ctx.db, budget.id))
  if (!budget || !url) return
  const patient = await findPatient(ctx, budget.clinic_id, budget.patient_id)
  if (!patient?.email) return await saveDelivery(ctx.db, budget.id, { delivery: 'failed', delivery_error: 'The patient has no e-mail address.' })

  const clinic = await ctx.clinics.get(budget.clinic_id)
  const status = statusAt(budget, await ctx.clock.now())
  const { patient_first_name, valid_until, time_zone } = budget
  const letter = linkMessage({ locale: patient.locale ?? budget.locale, kind, status, clinic, patient_first_name, url, valid_until, time_zone, message })
  try {
    await ctx.mail.send({ to: patient.email, ...letter, ...(clinic.email ? { reply_to: clinic.email } : {}) })
  } catch (error) {
    await saveDelivery(ctx.db, budget.id, { delivery: 'failed', delivery_error: messageOf(error) })
    throw error
  }
  await saveDelivery(ctx.db, budget.id, { delivery: 'sent', delivery_error: null, delivered_at: await ctx.clock.now() })
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 500)
