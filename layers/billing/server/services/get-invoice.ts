import { isId, problem, type Ctx, type Db, type Tx } from '@svc/kit'
import type { BilledInvoice } from '@svc/kit/modules/billing'
import type { Invoice } from '../../shared/contract.ts'
import { dueOf } from '../../shared/domain/invoice-state.ts'
import { findInvoice, listInvoicesOfBudget, listLines, type BudgetKey, type InvoiceKey, type InvoiceRow } from '../db/invoices.ts'
import { findCredited, listCreditNotes, takenByLine } from '../db/credits.ts'
import { listOfNumber } from '../db/advances.ts'
import { listPayments } from '../db/payments.ts'
import { reasonOf } from './issuer.ts'
import { sumOf, toInvoice } from './views.ts'

/** The invoice that a credit note corrects; null for an invoice. */
export const findCreditedBy = async (ctx: Ctx, { credits_id }: InvoiceRow) =>
  credits_id === null ? null : (await findCredited(ctx.db, [credits_id])).get(credits_id) ?? null

export interface Detail { invoice: Invoice, edit: number }

/** A malformed id is treated as unknown, like another clinic's id. */
export async function getStoredInvoice(ctx: Ctx, key: InvoiceKey): Promise<InvoiceRow> {
  const row = isId(key.id) ? await findInvoice(ctx.db, key) : null
  if (!row) throw problem('not_found')
  return row
}

/** Throws `not_found`. */
export async function getInvoice(ctx: Ctx, key: InvoiceKey): Promise<Detail> {
  const row = await getStoredInvoice(ctx, key)
  const [lines, payments, advances, clinic, notes, taken, credited] = await Promise.all([
    listLines(ctx.db, row.id),
    listPayments(ctx.db, row.id),
    listOfNumber(ctx.db, row),
    ctx.clinics.get(row.clinic_id),
    listCreditNotes(ctx.db, row.id),
    takenByLine(ctx.db, row.id),
    findCreditedBy(ctx, row)
  ])
  const people = [row.issued_by, row.cancelled_by, ...payments.flatMap(({ created_by, reversal }) => [
    created_by,
    reversal?.reversed_by ?? null
  ])].filter(
    id => id !== null
  )
  const names = people.length > 0 ? await ctx.users.names(people) : new Map<string, string>()
  const pro_forma_reason = await reasonOf(ctx, row, clinic)
  const parts = { lines, payments, advances, notes, taken, credited, names, pro_forma_reason }
  return { invoice: toInvoice(row, parts), edit: row.edit }
}

/** `getInvoice` of the kit, for other modules. */
export async function viewInvoice(db: Db | Tx, key: InvoiceKey): Promise<BilledInvoice | null> {
  const row = isId(key.id) ? await findInvoice(db, key) : null
  return row && await toBilled(db, row)
}

/** `listInvoicesOf` of the kit, for other modules. */
export async function viewInvoicesOf(db: Db | Tx, key: BudgetKey): Promise<BilledInvoice[]> {
  const billed: BilledInvoice[] = []
  for (const row of isId(key.budget_id) ? await listInvoicesOfBudget(db, key) : []) billed.push(await toBilled(db, row))
  return billed
}

async function toBilled(db: Db | Tx, row: InvoiceRow): Promise<BilledInvoice> {
  const { id, kind, number, status, budget_id, budget_number, patient_id, currency, locale, total, due_on } = row
  const isDue = status === 'issued' && kind === 'invoice'
  const due = isDue ? dueOf(row, sumOf(await listPayments(db, id))) : 0n
  const patient = { id: patient_id, first_name: row.patient_first_name, last_name: row.patient_last_name }
  const budget = { id: budget_id, number: budget_number }
  return { id, number, status, budget, patient, currency, locale, total, due, due_on }
}
