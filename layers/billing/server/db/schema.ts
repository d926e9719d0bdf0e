import { sql } from 'drizzle-orm'
import {
  check,
  customType,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid
} from 'drizzle-orm/pg-core'
import type { DocumentKind, InvoiceStatus, PaymentMethod } from '../../shared/domain/invoice-state.ts'
import type { ProFormaReason } from '../../shared/domain/document-title.ts'
import { advance } from './advance-tables.ts'
import { instant, minor, type Issuer } from './columns.ts'

export * from './advance-tables.ts'
export type { Issuer } from './columns.ts'

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

/** Text in several languages: `{ en: 'Cleaning', es: 'Limpieza' }`. */
export type Texts = Record<string, string>

/** The patient's details besides the name, at the time of issue. */
export interface Recipient { tax_number: string | null, address: string | null }

/** Numbers and patient in lower case without accents. `wordsQuery` of db/list.ts folds search texts in the same way. */
const FOLDED = `lower(regexp_replace(normalize(coalesce(number, '') || ' ' || budget_number || ' ' || patient_first_name || ' ' || patient_last_name, NFKD), '[\\u0300-\\u036f]', '', 'g'))`
/** The last part of a number is also found without its leading zeros. */
const SHORT = `coalesce(ltrim(split_part(number, '-', 3), '0'), '') || ' ' || ltrim(split_part(budget_number, '-', 3), '0')`

/** Credit notes count negative. */
export const signedTotal = sql.raw('case when kind = \'credit_note\' then -total else total end')

/**
 * No foreign key leads out of the module: the necessary data of budget and patient are copied when the draft is
 * created.
 */
export const invoice = pgTable(
  'billing_invoice',
  {
    id: uuid().primaryKey().defaultRandom(),
    clinic_id: uuid().notNull(),
    /** Assigned when the invoice is issued, without gaps. A cancelled draft has no number. */
    number: text(),
    status: text().$type<InvoiceStatus>().notNull().default('draft'),
    kind: text().$type<DocumentKind>().notNull().default('invoice'),
    /** The invoice that a credit note corrects, which has the same budget and patient. */
    credits_id: uuid(),
    /** Null for an invoice, and after the patient's data was erased. */
    credit_reason: text(),
    /** What issued credit notes take off an invoice, in minor units. A trigger updates it. */
    credited: minor('credited').notNull().default(sql`0`),
    /** The draft of the same budget from which a part of an invoice was split; null for the first one. */
    split_from_id: uuid(),
    budget_id: uuid().notNull(),
    budget_number: text().notNull(),
    budget_version: integer().notNull(),
    patient_id: uuid().notNull(),
    patient_first_name: text().notNull(),
    patient_last_name: text().notNull(),
    currency: text().notNull(),
    locale: text().notNull(),
    /** In minor units, including tax. */
    total: minor('total').notNull(),
    tax_total: minor('tax_total').notNull(),
    created_at: instant('created_at').notNull().defaultNow(),
    updated_at: instant('updated_at').notNull().defaultNow(),
    issued_at: instant('issued_at'),
    /** The day of `issued_at` in the clinic's zone. */
    issued_on: date({ mode: 'string' }),
    issued_by: uuid(),
    issuer: jsonb().$type<Issuer>(),
    /** Null before the issue, and after the patient's data was erased. */
    recipient: jsonb().$type<Recipient>(),
    /**
     * Why the issued document is titled "Pro forma"; null for an invoice. Also null for older pro formas, whose issuer
     * has no tax number.
     */
    pro_forma_reason: text().$type<ProFormaReason>(),
    /** The last day to pay; null if none was set. */
    due_on: date({ mode: 'string' }),
    cancelled_at: instant('cancelled_at'),
    cancelled_by: uuid(),
    cancel_reason: text(),
    /**
     * Set when the patient's data was erased: the issued document, which the law requires to be kept, as a key of the
     * host's files, and the SHA-256 of its bytes in hex.
     */
    held_file: text(),
    held_sha256: text(),
    /** Increases with each change; the ETag. */
    edit: integer().notNull().default(1),
    /** The words that the list's search matches by prefix. */
    words: tsvector('words')
      .notNull()
      .generatedAlwaysAs(
        sql.raw(`array_to_tsvector(string_to_array(btrim(regexp_replace(${FOLDED} || ' ' || replace(${FOLDED}, '-', ' ') || ' ' || ${SHORT}, '\\s+', ' ', 'g')), ' '))`)
      )
  },
  t => [
    // Prevents a second draft of all that was accepted if an event is delivered twice. Parts name what they came from.
    uniqueIndex('billing_invoice_first').on(t.clinic_id, t.budget_id)
      .where(sql`kind = 'invoice' and split_from_id is null`),
    index('billing_invoice_of_budget').on(t.clinic_id, t.budget_id),
    index('billing_invoice_credits').on(t.credits_id).where(sql`credits_id is not null`),
    // Deferrable (0010), because a backup loads its rows in any order.
    foreignKey({ name: 'billing_invoice_credited_invoice', columns: [t.credits_id], foreignColumns: [t.id] }),
    // Deferrable too (0011).
    foreignKey({ name: 'billing_invoice_split_invoice', columns: [t.split_from_id], foreignColumns: [t.id] }),
    check('billing_invoice_part', sql`split_from_id is null or (kind = 'invoice' and split_from_id <> id)`),
    unique('billing_invoice_number').on(t.clinic_id, t.number),
    index('billing_invoice_list').on(t.clinic_id, t.created_at.desc(), t.id.desc(), t.status),
    index('billing_invoice_state').on(t.clinic_id, t.status, t.created_at.desc(), t.id.desc()),
    // INV-2026-10000 comes after INV-2026-9999: sorted by year, then length, then text. Drafts come last in both
    // directions, which requires two indexes.
    index('billing_invoice_by_number').on(t.clinic_id, sql`left(number, 8)`, sql`length(number)`, t.number, t.id),
    index('billing_invoice_by_number_down').on(
      t.clinic_id,
      sql`left(number, 8) desc nulls last`,
      sql`length(number) desc nulls last`,
      t.number.desc(),
      t.id.desc()
    ),
    // Numbers of the different ranges are issued side by side. Drafts come last here too.
    index('billing_invoice_by_issue').on(t.clinic_id, t.issued_at, sql`length(number)`, t.number, t.id),
    index('billing_invoice_by_issue_down').on(
      t.clinic_id,
      t.issued_at.desc(),
      sql`length(number) desc nulls last`,
      t.number.desc(),
      t.id.desc()
    ),
    index('billing_invoice_total').on(t.clinic_id, sql`(${signedTotal})`, t.id),
    index('billing_invoice_words').using('gin', t.words),
    index('billing_invoice_patient').on(t.clinic_id, t.patient_id, t.created_at.desc(), t.id.desc()),
    index('billing_invoice_budget_number').on(t.clinic_id, t.budget_number),
    index('billing_invoice_at').on(t.clinic_id, sql`coalesce(issued_at, created_at)`),
    index('billing_invoice_held_file')
      .on(t.number, t.id)
      .where(sql`held_file is not null`),
    check('billing_invoice_status_known', sql`status in ('draft','issued','paid','cancelled','credited')`),
    check(
      'billing_invoice_issued',
      sql`(number is null) = (issued_at is null) and (status not in ('issued','paid','credited') or number is not null) and (status <> 'draft' or number is null)`
    ),
    check(
      'billing_invoice_held',
      sql`(held_file is null) = (held_sha256 is null) and (held_file is null or number is not null)`
    ),
    check(
      'billing_invoice_pro_forma',
      sql`(pro_forma_reason is null) = (number is null or number not like 'PF-%')
        and pro_forma_reason in ('no_tax_number','certified_program','verifactu')`
    ),
    check('billing_invoice_money', sql`total >= 0 and tax_total >= 0 and credited between 0 and total`),
    check(
      'billing_invoice_kind',
      sql`kind in ('invoice','credit_note') and (kind = 'credit_note') = (credits_id is not null)
        and (kind = 'invoice' or credited = 0) and (kind = 'credit_note' or credit_reason is null)`
    )
  ]
)

export const invoiceLine = pgTable(
  'billing_invoice_line',
  {
    id: uuid().primaryKey().defaultRandom(),
    invoice_id: uuid().notNull(),
    clinic_id: uuid().notNull(),
    position: integer().notNull(),
    /** The line of the budget; null on credit notes, and on invoices of versions without parts. */
    budget_item_id: uuid(),
    treatment_id: uuid().notNull(),
    code: text().notNull(),
    name: jsonb().$type<Texts>().notNull(),
    /** 0 on a credit note that takes off only an amount. */
    quantity: integer().notNull(),
    /** Hundredths of a percent. */
    vat: integer().notNull(),
    /** The line of the invoice of which a credit note takes this off. */
    credits_line_id: uuid(),
    /** For the whole line, after all discounts, including tax; `tax` is the tax that it includes. */
    price: minor('price').notNull(),
    tax: minor('tax').notNull()
  },
  t => [
    unique('billing_invoice_line_position').on(t.invoice_id, t.position),
    index('billing_invoice_line_credits').on(t.credits_line_id).where(sql`credits_line_id is not null`),
    check('billing_invoice_line_money', sql`price >= 0 and tax >= 0`),
    // Deferrable (0001), because a backup loads its tables in any order.
    foreignKey({
      name: 'billing_invoice_line_invoice',
      columns: [t.invoice_id],
      foreignColumns: [invoice.id]
    }).onDelete('cascade')
  ]
)

export const payment = pgTable('billing_payment', {
  id: uuid().primaryKey().defaultRandom(),
  invoice_id: uuid().notNull(),
  clinic_id: uuid().notNull(),
  amount: minor('amount').notNull(),
  method: text().$type<PaymentMethod>().notNull(),
  paid_at: instant('paid_at').notNull().defaultNow(),
  note: text(),
  created_by: uuid(),
  created_at: instant('created_at').notNull().defaultNow(),
  /** The advance that the payment comes from. Reversing the payment returns the amount to the advance. */
  advance_id: uuid()
}, t => [
  index('billing_payment_invoice').on(t.invoice_id),
  index('billing_payment_advance').on(t.advance_id).where(sql`advance_id is not null`),
  check('billing_payment_amount', sql`amount > 0`),
  check('billing_payment_method_known', sql`method in ('cash','card','transfer','other')`),
  foreignKey({ name: 'billing_payment_invoice', columns: [t.invoice_id], foreignColumns: [invoice.id] }),
  foreignKey({ name: 'billing_payment_advance', columns: [t.advance_id], foreignColumns: [advance.id] })
])

/**
 * A payment that was reversed because it bounced, was returned or was a mistake. The payment's own row does not change.
 */
export const paymentReversal = pgTable('billing_payment_reversal', {
  payment_id: uuid().primaryKey(),
  invoice_id: uuid().notNull(),
  clinic_id: uuid().notNull(),
  /** Null once the patient's data was erased. */
  reason: text(),
  reversed_at: instant('reversed_at').notNull().defaultNow(),
  reversed_by: uuid()
}, t => [
  index('billing_payment_reversal_invoice').on(t.invoice_id),
  foreignKey({ name: 'billing_payment_reversal_payment', columns: [t.payment_id], foreignColumns: [payment.id] })
])

const numbersOf = (name: string) => pgTable(name, {
  clinic_id: uuid().notNull(),
  year: integer().notNull(),
  last: integer().notNull(),
  /** The time of the last issue. A later number never has an earlier time, even if its transaction began earlier. */
  last_at: instant('last_at').notNull().defaultNow()
}, t => [primaryKey({ name: `${name}_pkey`, columns: [t.clinic_id, t.year] })])

/** The last number issued, by clinic and year. The row's lock makes numbers consecutive. */
export const invoiceNumber = numbersOf('billing_number')
/** The same for credit notes. */
export const creditNumber = numbersOf('billing_credit_number')
/** The same for pro formas, so that they use none of the invoices' numbers. */
export const proFormaNumber = numbersOf('billing_pro_forma_number')
/** The same for receipts of advances. */
export const receiptNumber = numbersOf('billing_receipt_number')
