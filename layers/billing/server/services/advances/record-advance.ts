import { isId, problem, type Ctx, type Tx } from '@svc/kit'
import type { NewAdvance } from '@svc/kit/modules/billing'
import type { PricedBudget } from '@svc/kit/modules/budget'
import { findAdvance, insertAdvance, lockDocumentsOf, lockMoney, type StoredAdvance } from '../../db/advances.ts'
import { listDueInvoices } from '../../db/invoices.ts'
import { takeNumber } from '../../db/numbers.ts'
import { dayIn, yearIn } from '../../../shared/domain/calendar.ts'
import { issuerOf } from '../issuer.ts'
import { checkAdvances } from './check-advances.ts'
import { payDueInvoices } from './pay-from-advances.ts'

/**
 * `recordAdvance` of the kit, for modules and for the requests of members (`record-advance-by-member.ts`). Records an
 * advance and assigns the next number to its receipt. The budget's open advances then pay what is due of its issued
 * invoices, oldest first. Received money is recorded in any state of the budget except draft. Throws `not_found`,
 * `wrong_state` for a draft, `advance_id_used`.
 */
export async function recordAdvance(
  ctx: Ctx,
  tx: Tx,
  input: NewAdvance
): Promise<{ advance: StoredAdvance, is_new: boolean }> {
  const { clinic_id, budget_id, amount, currency, advance_id } = input
  if (advance_id !== undefined && !isId(advance_id)) throw new Error(`${advance_id} is not a UUID`)
  const read = () => ctx.use('budget').getBudget(clinic_id, budget_id, tx)
  const patient_id = (await read())?.patient.id
  if (patient_id === undefined) throw problem('not_found')
  // Read again after the lock: an erasure may have emptied the name meanwhile.
  await lockDocumentsOf(tx, { clinic_id, patient_id }, { shared: true })
  const budget = await read()
  if (!budget) throw problem('not_found')
  if (budget.status === 'draft') throw problem('wrong_state', {
    detail: 'This budget is still a draft, which can be deleted. Send it first, then record the advance.'
  })
  if (amount <= 0n || currency !== budget.currency)
    throw new Error(`${amount} minor units of ${currency} are not an advance of a budget in ${budget.currency}`)
  await lockMoney(tx, { clinic_id, budget_number: budget.number })
  const known = advance_id && await findAdvance(tx, { clinic_id, id: advance_id })
  if (known) return { advance: assertSame(known, input), is_new: false }
  // Locked before the number is taken, so that other transactions wait for the next number as briefly as possible.
  const invoices = await listDueInvoices(tx, { clinic_id, budget_number: budget.number })
  const advance = await insert(ctx, tx, budget, input)
  const first = invoices.filter(({ id }) => id === input.invoice_id)
  const others = invoices.filter(({ id }) => id !== input.invoice_id)
  await payDueInvoices(tx, [...first, ...others], input.created_by ?? null)
  await checkAdvances(ctx, tx, advance)
  return { advance: (await findAdvance(tx, advance))!, is_new: true }
}

function assertSame(known: StoredAdvance, { budget_id, amount, method }: NewAdvance): StoredAdvance {
  if (known.budget_id !== budget_id || known.amount !== amount || known.method !== method)
    throw problem('advance_id_used')
  return known
}

async function insert(ctx: Ctx, tx: Tx, budget: PricedBudget, input: NewAdvance): Promise<StoredAdvance> {
  const { id: budget_id, number: budget_number, currency, locale, patient } = budget
  return await insertAdvanceOf(ctx, tx, {
    clinic_id: input.clinic_id,
    budget_id,
    budget_number,
    currency,
    locale,
    patient_id: patient.id,
    patient_first_name: patient.first_name,
    patient_last_name: patient.last_name
  }, input)
}

type Payer = Pick<
  StoredAdvance,
  | 'clinic_id' | 'budget_id' | 'budget_number' | 'patient_id' | 'patient_first_name' | 'patient_last_name'
  | 'currency' | 'locale'
>
type Received = Pick<NewAdvance, 'amount' | 'method' | 'paid_at' | 'reference' | 'note' | 'advance_id' | 'created_by'>

/** Inserts an advance with the next number of the receipts. Call it with the money locked. Throws `advance_id_used`. */
export async function insertAdvanceOf(ctx: Ctx, tx: Tx, payer: Payer, received: Received): Promise<StoredAdvance> {
  const { amount, method, paid_at, reference, note, advance_id, created_by } = received
  const { clinic_id, budget_id, budget_number, currency, locale } = payer
  const { patient_id, patient_first_name, patient_last_name } = payer
  const clinic = await ctx.clinics.get(clinic_id, tx)
  const year = yearIn(clinic.time_zone, await ctx.clock.now(tx))
  const { number, issued_at } = await takeNumber(tx, { clinic_id, year, range: 'REC' })
  const advance = await insertAdvance(tx, {
    ...(advance_id ? { id: advance_id } : {}),
    clinic_id,
    number,
    budget_id,
    budget_number,
    patient_id,
    patient_first_name,
    patient_last_name,
    currency,
    locale,
    amount,
    balance: amount,
    method,
    reference: reference ?? null,
    note: note ?? null,
    paid_at,
    issued_at,
    issued_on: dayIn(clinic.time_zone, issued_at),
    issuer: issuerOf(clinic),
    created_by: created_by ?? null
  })
  if (!advance) throw problem('advance_id_used')
  return advance
}
