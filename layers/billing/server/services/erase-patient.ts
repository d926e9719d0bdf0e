import type { Ctx, Erasure, Held, Person } from '@svc/kit'
import { emptyAdvance, emptyReturnReasons, listAdvancesOf, lockDocumentsOf, type StoredAdvance } from '../db/advances.ts'
import { isErased, listInvoicesOf, updateInvoice, type InvoiceRow } from '../db/invoices.ts'
import { emptyNotes, emptyReasons } from '../db/payments.ts'
import { holdReceipt } from './advances/draw-receipt.ts'
import { holdInvoice } from './held/held-invoice.ts'

const KEPT = { what: 'issued invoice', reason: 'Accounts must be kept; the invoice names whom it was issued to.' }
const KEPT_RECEIPT = {
  what: 'receipt of an advance',
  reason: 'Accounts must be kept; the receipt names whose payment it confirms.'
}

/**
 * An issued invoice and a receipt are documents: each is kept as a file, and the names are removed from its rows. A
 * draft is cancelled. Safe to repeat: files that are kept already are reported again.
 */
export async function erasePatient(ctx: Ctx, person: Person, { dry_run }: { dry_run: boolean }): Promise<Erasure> {
  const counts = { invoices: 0, drafts: 0, notes: 0, receipts: 0, advance_notes: 0 }
  const held: Held[] = []
  await lockDocumentsOf(ctx.db, { clinic_id: person.clinic_id, patient_id: person.id }, { shared: false })
  for (const invoice of await listInvoicesOf(ctx.db, { clinic_id: person.clinic_id, patient_id: person.id })) {
    const file = await eraseOne(ctx, invoice, dry_run)
    if (file) held.push({ ...KEPT, object: invoice.number!, file })
    if (!isErased(invoice)) counts[invoice.number ? 'invoices' : 'drafts'] += 1
    counts.notes += (await emptyNotes(ctx.db, invoice.id)) + (await emptyReasons(ctx.db, invoice.id))
  }
  for (const advance of await listAdvancesOf(ctx.db, { clinic_id: person.clinic_id, patient_id: person.id })) {
    if (advance.held_file === null || isNamed(advance)) counts.receipts += 1
    if (advance.note !== null || advance.reference !== null) counts.advance_notes += 1
    held.push({ ...KEPT_RECEIPT, object: advance.number, file: await eraseAdvance(ctx, advance, dry_run) })
    counts.advance_notes += await emptyReturnReasons(ctx.db, advance.id)
  }
  return {
    erased: [
      { what: 'names in invoices', count: counts.invoices },
      { what: 'invoice drafts, cancelled', count: counts.drafts },
      { what: 'notes of payments', count: counts.notes },
      { what: 'names in receipts', count: counts.receipts },
      { what: 'notes of advances', count: counts.advance_notes }
    ],
    held
  }
}

/** Returns the kept file; null for an invoice that was never issued. */
async function eraseOne(ctx: Ctx, invoice: InvoiceRow, dry_run: boolean): Promise<string | null> {
  const nameless = { patient_first_name: '', patient_last_name: '', cancel_reason: null, credit_reason: null, recipient: null }
  if (invoice.number === null) {
    const end
      = invoice.status === 'draft' ? { status: 'cancelled' as const, cancelled_at: await ctx.clock.now(ctx.db) } : {}
    if (!isErased(invoice) || invoice.status === 'draft')
      await updateInvoice(ctx.db, invoice.id, { ...nameless, ...end })
    return null
  }
  if (invoice.held_file) {
    // An earlier version could cancel it since.
    if (invoice.cancel_reason !== null) await updateInvoice(ctx.db, invoice.id, nameless)
    return invoice.held_file
  }
  const { file, sha256 } = await holdInvoice(ctx, invoice, { dry_run })
  await updateInvoice(ctx.db, invoice.id, { ...nameless, held_file: file, held_sha256: sha256 })
  return file
}

const isNamed = ({ patient_first_name, patient_last_name }: StoredAdvance) =>
  patient_first_name !== '' || patient_last_name !== ''

/** Keeps the receipt as a file, and empties the name, note and reference of its row. */
async function eraseAdvance(ctx: Ctx, advance: StoredAdvance, dry_run: boolean): Promise<string> {
  if (advance.held_file) {
    if (advance.note !== null || advance.reference !== null || isNamed(advance))
      await emptyAdvance(ctx.db, advance.id, { held_file: advance.held_file, held_sha256: advance.held_sha256! })
    return advance.held_file
  }
  const { file, sha256 } = await holdReceipt(ctx, advance, { dry_run })
  await emptyAdvance(ctx.db, advance.id, { held_file: file, held_sha256: sha256 })
  return file
}
