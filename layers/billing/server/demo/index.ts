import type { Ctx } from '@svc/kit'
import { formatMoney } from '@svc/kit/money'
import { listOfNumber } from '../db/advances.ts'
import { listPage } from '../db/list.ts'
import type { InvoiceRow } from '../db/invoices.ts'
import { recordAdvanceByMember } from '../services/advances/record-advance-by-member.ts'
import { cancelInvoice } from '../services/cancel-invoice.ts'
import { draftInvoice } from '../services/draft-invoice.ts'
import { issueInvoice } from '../services/issue-invoice.ts'
import { recordPayment } from '../services/record-payment.ts'

interface At { clinic_id: string, user_id: string }
type Target = At & { invoice: InvoiceRow }

/**
 * What happens to the invoices of the demo's accepted budgets, in the order of their numbers. Further invoices stay
 * drafts.
 */
const ENDINGS: ((ctx: Ctx, at: Target) => Promise<void>)[] = [paidTwice, paidInPart, issued, credited, paidBefore]

const FIRST_VISIT = { es: 'Primera visita.', en: 'First visit.' }
const INSURED = { es: 'La aseguradora paga el tratamiento.', en: 'The insurance pays for the treatment.' }

/** In the clinic's language, like the demo's treatments. */
async function wordsIn(ctx: Ctx, clinic_id: string, words: { es: string, en: string }): Promise<string> {
  const { locale } = await ctx.clinics.get(clinic_id)
  return locale.startsWith('es') ? words.es : words.en
}

/** Uses the same services as in production. An invoice that is no longer a draft is not changed. */
export async function fillDemo(ctx: Ctx, at: At): Promise<void> {
  await setPaymentDays(ctx, at)
  const accepted = await ctx
    .use('budget')
    .acceptedIn({ clinic_id: at.clinic_id, from: new Date(0), to: await ctx.clock.now() })
  for (const [index, { id }] of accepted.slice(0, ENDINGS.length).entries()) {
    const invoice = await draftOf(ctx, { clinic_id: at.clinic_id, budget_id: id })
    if (invoice?.status === 'draft') await ENDINGS[index]!(ctx, { ...at, invoice })
  }
}

/** Only if the clinic has not chosen them yet. */
async function setPaymentDays(ctx: Ctx, { clinic_id }: At): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const chosen_at = await ctx.settings.changedAt(clinic_id, 'payment_days', tx)
    if (!chosen_at) await ctx.settings.change(tx, clinic_id, { payment_days: 30 })
  })
}

/** Does not wait for the event. Its subscriber later finds the existing invoice. */
async function draftOf(ctx: Ctx, about: { clinic_id: string, budget_id: string }): Promise<InvoiceRow | undefined> {
  await draftInvoice(ctx, about)
  const [invoice] = await listPage(ctx.db, about, { sort: '-created_at', page: 1, page_size: 1 })
  return invoice
}

const keyOf = ({ clinic_id, user_id, invoice }: Target) => ({ clinic_id, user_id, id: invoice.id })

async function issued(ctx: Ctx, at: Target): Promise<void> {
  await issueInvoice(ctx, keyOf(at))
}

/** An advance of half the total. */
async function paidBefore(ctx: Ctx, { clinic_id, user_id, invoice }: Target): Promise<void> {
  const { budget_id, total, currency } = invoice
  if ((await listOfNumber(ctx.db, invoice)).length > 0) return
  const amount = formatMoney(total / 2n, currency)
  await recordAdvanceByMember(ctx, {
    clinic_id,
    user_id,
    advance: { budget_id, amount, method: 'card', reference: null, note: await wordsIn(ctx, clinic_id, FIRST_VISIT) }
  })
}

async function paidInPart(ctx: Ctx, at: Target): Promise<void> {
  await paidBefore(ctx, at)
  await issued(ctx, at)
}

async function paidTwice(ctx: Ctx, at: Target): Promise<void> {
  await paidInPart(ctx, at)
  const { total, currency } = at.invoice
  const amount = formatMoney(total - total / 2n, currency)
  await recordPayment(ctx, { ...keyOf(at), payment: { amount, method: 'transfer', note: null } })
}

/** An issued invoice that is cancelled gets a credit note. */
async function credited(ctx: Ctx, at: Target): Promise<void> {
  await issued(ctx, at)
  await cancelInvoice(ctx, { ...keyOf(at), reason: await wordsIn(ctx, at.clinic_id, INSURED) })
}
