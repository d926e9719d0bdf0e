import type { Csv, Ctx } from '@svc/kit'
import { idBatches } from '@svc/kit/csv'
import { formatMoney, formatPercent } from '@svc/kit/money'
import type { PaymentExportQuery } from '../../shared/contract.ts'
import { textIn } from '../../shared/domain/texts.ts'
import { findCredited } from '../db/credits.ts'
import { findLines, packProFormaLineIds, type ListedLine } from '../db/lines.ts'
import { reasonOfIssued } from './issuer.ts'

const COLUMNS = [
  'number',
  'issued_on',
  'status',
  'reason',
  'budget_number',
  'patient_id',
  'patient_first_name',
  'patient_last_name',
  'patient_tax_number',
  'patient_address',
  'line',
  'code',
  'name',
  'quantity',
  'currency',
  'net',
  'vat',
  'tax',
  'price',
  'cancelled_at',
  'credits'
]

/** Each line of the list's pro formas, with what another program needs to make the invoice. */
export async function exportProFormas(ctx: Ctx, filter: PaymentExportQuery & { clinic_id: string }): Promise<Csv> {
  const packed = await packProFormaLineIds(ctx.db, filter)
  return { name: 'pro-formas', columns: COLUMNS, batches: readBatches(ctx, filter.clinic_id, packed) }
}

async function* readBatches(ctx: Ctx, clinic_id: string, packed: Uint8Array) {
  for (const ids of idBatches(packed)) {
    const found = await findLines(ctx.db, { clinic_id, ids })
    const rows = new Map(found.map(row => [row.line.id, row]))
    const credited = await findCredited(ctx.db, found.flatMap(({ invoice }) => invoice.credits_id ?? []))
    yield ids.flatMap(id => rows.get(id) ?? []).map(row =>
      toCells(row, credited.get(row.invoice.credits_id ?? '')?.number ?? null))
  }
}

/** `credits`: the number of the document that a credit note corrects. Its amounts are negative. */
function toCells({ line, invoice }: ListedLine, credits: string | null): (string | null)[] {
  const sign = invoice.kind === 'credit_note' ? -1n : 1n
  const money = (amount: bigint) => formatMoney(sign * amount, invoice.currency)
  return [
    invoice.number,
    invoice.issued_on,
    invoice.status,
    reasonOfIssued(invoice),
    invoice.budget_number,
    invoice.patient_id,
    invoice.patient_first_name,
    invoice.patient_last_name,
    invoice.recipient?.tax_number ?? null,
    invoice.recipient?.address ?? null,
    String(line.position + 1),
    line.code,
    textIn(line.name, invoice.locale),
    String(line.quantity),
    invoice.currency,
    money(line.price - line.tax),
    formatPercent(BigInt(line.vat)),
    money(line.tax),
    money(line.price),
    invoice.cancelled_at?.toISOString() ?? null,
    credits
  ]
}
