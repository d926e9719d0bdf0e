import { displayLocale } from '@svc/kit/locale'
import { displayMoney } from '@svc/kit/money'
import type { Fact, Sheet } from '@svc/sheet/sheet.ts'
import type { InvoiceRow, LineRow } from '../db/invoices.ts'
import type { Issuer, Recipient } from '../db/schema.ts'
import { dueOf } from '../../shared/domain/invoice-state.ts'
import { taxesByRate } from '../../shared/domain/taxes.ts'
import { textIn } from '../../shared/domain/texts.ts'
import { labelsFor } from './labels.ts'

interface Input {
  invoice: InvoiceRow
  lines: LineRow[]
  /** Minor units. */ paid: bigint
  /** What this invoice takes of each advance, and the advance's balance; oldest first. */
  advances?: { paid_at: Date, applied: bigint, balance: bigint }[]
  pro_forma: boolean
  /** The invoice's credit notes. */ notes?: Pick<InvoiceRow, 'status' | 'number' | 'total'>[]
  /** The invoice that a credit note corrects. */ credited?: Pick<InvoiceRow, 'number' | 'issued_on'> | null
  recipient: Recipient | null
  /** Of the text; one that can be drawn. */ locale: string
  time_zone: string
}

/** The contents of an invoice's PDF, in plain values. Pure. */
export function invoiceSheet(
  { invoice, lines, paid, advances = [], notes = [], credited = null, pro_forma, recipient, locale, time_zone }: Input
): Sheet {
  const labels = labelsFor(locale)
  const shown = displayLocale(locale)
  const money = (minor: bigint) => displayMoney(minor, invoice.currency, shown)
  const rate = (vat: number) =>
    new Intl.NumberFormat(shown, { style: 'percent', maximumFractionDigits: 2 }).format(vat / 10_000)
  const day = (text: string) =>
    new Intl.DateTimeFormat(shown, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${text}T00:00:00Z`))
  const dayOf = (at: Date) => new Intl.DateTimeFormat(shown, { dateStyle: 'long', timeZone: time_zone }).format(at)
  const { status, number, cancelled_at, pro_forma_reason } = invoice
  const is_note = invoice.kind === 'credit_note'
  const in_advance = advances.reduce((sum, { applied }) => sum + applied, 0n)
  const directly = paid - in_advance
  const left = advances.reduce((sum, { balance }) => sum + balance, 0n)
  return {
    language: locale,
    title: pro_forma ? labels.pro_forma : is_note ? labels.credit_note : labels.title,
    state: status === 'paid' || status === 'credited' || status === 'cancelled' ? labels.status[status] : null,
    number: number ?? labels.status.draft,
    below: below(),
    banner: banner(),
    named: [[labels.patient, patientLines()]],
    short: [
      [labels.date, invoice.issued_on ? day(invoice.issued_on) : labels.not_issued],
      ...invoice.due_on ? [[labels.due_on, day(invoice.due_on)] satisfies Fact] : []
    ],
    columns: [
      { title: labels.treatment, kind: 'name' },
      { title: labels.quantity, kind: 'figure' },
      { title: labels.vat, kind: 'figure' },
      { title: labels.net, kind: 'figure' },
      { title: labels.price, kind: 'amount' }
    ],
    rows: lines.map(line => [
      textIn(line.name, locale, invoice.locale),
      line.quantity === 0 ? '' : new Intl.NumberFormat(shown).format(line.quantity),
      rate(line.vat),
      money(line.price - line.tax),
      money(line.price)
    ]),
    sums: {
      above: taxesByRate(lines).flatMap(({ vat, net, tax }): [string, string][] => [
        [labels.net_at(rate(vat)), money(net)],
        [labels.vat_at(rate(vat)), money(tax)]
      ]),
      total: [labels.total, money(invoice.total)],
      below: is_note
        ? []
        : [
            ...notes.filter(note => note.status === 'issued').map((note): Fact =>
              [labels.credited_by(note.number!), money(-note.total)]),
            ...advances.filter(({ applied }) => applied > 0n).map(({ paid_at, applied }): Fact =>
              [labels.in_advance(dayOf(paid_at)), money(applied)]),
            ...directly > 0n || in_advance === 0n ? [[labels.paid, money(directly)] satisfies Fact] : [],
            [labels.due, money(status === 'cancelled' ? 0n : dueOf(invoice, paid))]
          ],
      remark: is_note || status === 'cancelled' || left === 0n ? null : `${labels.advance_left}: ${money(left)}`
    },
    notes: invoice.credit_reason ? { title: labels.credit_reason, text: invoice.credit_reason } : null,
    acceptance: null,
    page: labels.page,
    subject: number ?? labels.status.draft,
    dated_at: invoice.updated_at
  }

  function patientLines(): string {
    const { tax_number, address } = recipient ?? {}
    const name = `${invoice.patient_first_name} ${invoice.patient_last_name}`
    return [name, address, tax_number && `${labels.tax_number}: ${tax_number}`].filter(Boolean).join('\n')
  }

  function below(): string {
    if (!credited) return labels.budget(invoice.budget_number)
    const at = { number: credited.number!, date: day(credited.issued_on!) }
    return pro_forma ? labels.credit_pro_forma(at) : labels.credits(at)
  }

  function banner(): string | null {
    if (status === 'draft') return is_note ? labels.credit_draft : labels.draft
    if (cancelled_at) return labels.cancelled(dayOf(cancelled_at))
    return pro_forma_reason ? labels[`pro_forma_${pro_forma_reason}`] : null
  }
}

/** The lines below the clinic's name. */
export function issuerLines(issuer: Issuer, locale: string): string {
  const { legal_name, address, tax_number, registration, insurer } = issuer
  const labels = labelsFor(locale)
  return [
    legal_name,
    address,
    tax_number && `${labels.tax_number}: ${tax_number}`,
    registration,
    insurer && `${labels.insurer}: ${insurer}`
  ].filter(Boolean).join('\n')
}
