import { problem, type Ctx, type Tx } from '@svc/kit'
import { formatMoney } from '@svc/kit/money'
import type { CreditRequest } from '../../../shared/contract.ts'
import { leftOf, nextPart, sumParts, type PartRequest, type Part } from '../../../shared/domain/credit.ts'
import { assertAllowed } from '../../../shared/domain/invoice-state.ts'
import { takenByLine } from '../../db/credits.ts'
import { insertInvoice, isErased, listLines, ofSameBudget, type InvoiceRow, type LineRow } from '../../db/invoices.ts'
import { changeInvoice, type ChangeKey } from '../change-invoice.ts'
import { getInvoice, type Detail } from '../get-invoice.ts'
import { invalid, readAmount } from '../read-payment.ts'

/**
 * Drafts a credit note of an issued invoice: of the given lines, by default of all that is not credited yet. The
 * invoice's lock serializes them, and drafts count. Throws `not_found`, `precondition_failed`, `wrong_state`,
 * `patient_erased`, `validation_failed`, `over_credit`.
 */
export async function draftCreditNote(ctx: Ctx, { items, reason, ...key }: ChangeKey & CreditRequest): Promise<Detail> {
  let id = ''
  await changeInvoice(ctx, key, async (tx, { invoice, paid }) => {
    assertAllowed({ ...invoice, paid }, 'credit')
    id = await insertCreditNote(tx, invoice, { items, reason })
  })
  return await getInvoice(ctx, { clinic_id: key.clinic_id, id })
}

/** Call it with the invoice locked. Returns the draft's id. */
export async function insertCreditNote(tx: Tx, invoice: InvoiceRow, { items, reason }: CreditRequest): Promise<string> {
  if (isErased(invoice)) throw problem('patient_erased', {
    detail: 'The patient\'s data was erased, so this invoice can no longer be credited.'
  })
  const lines = await listLines(tx, invoice.id)
  const parts = toParts(invoice, { lines, taken: await takenByLine(tx, invoice.id), items })
  const { price: total, tax: tax_total } = sumParts(parts.map(({ part }) => part))
  const row = {
    kind: 'credit_note' as const,
    credits_id: invoice.id,
    credit_reason: reason,
    ...ofSameBudget(invoice),
    total,
    tax_total
  }
  const id = await insertInvoice(tx, row, parts.map(({ line, part }, position) => ({
    clinic_id: invoice.clinic_id,
    position,
    treatment_id: line.treatment_id,
    code: line.code,
    name: line.name,
    vat: line.vat,
    credits_line_id: line.id,
    ...part
  })))
  return id!
}

interface About { lines: LineRow[], taken: (line_id: string) => Part, items: CreditRequest['items'] }

function toParts(invoice: InvoiceRow, { lines, taken, items }: About): { line: LineRow, part: Part }[] {
  const parts = items
    ? items.map((item, at) => toPart(invoice, { lines, taken, item, at }))
    : lines.map(line => ({ line, part: leftOf(line, taken(line.id)) }))
  const nonzero = parts.filter(({ part }) => part.price > 0n)
  if (nonzero.length === 0) throw overCredit(invoice, 0n)
  return nonzero
}

type Item = NonNullable<CreditRequest['items']>[number]

function toPart(
  invoice: InvoiceRow,
  { lines, taken, item, at }: Omit<About, 'items'> & { item: Item, at: number }
): { line: LineRow, part: Part } {
  const line = lines.find(({ id }) => id === item.item_id)
  if (!line) throw invalid(`/items/${at}/item_id`, 'This invoice has no such line.')
  const used = taken(line.id)
  const asked: PartRequest = {
    ...item.quantity === undefined ? {} : { quantity: item.quantity },
    ...item.amount === undefined ? {} : { amount: readAmount(item.amount, invoice.currency, `/items/${at}/amount`) }
  }
  const part = nextPart(line, used, asked)
  if (!part) throw overCredit(invoice, leftOf(line, used).price)
  return { line, part }
}

function overCredit({ currency }: InvoiceRow, amount: bigint) {
  const left = formatMoney(amount, currency)
  return problem('over_credit', { detail: `Only ${left} ${currency} can still be credited. Drafts count too.`, left })
}
