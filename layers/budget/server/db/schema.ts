import type { ModuleClause } from '@svc/kit'
import { sql } from 'drizzle-orm'
import {
  bigint,
  bigserial,
  boolean,
  check,
  customType,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid
} from 'drizzle-orm/pg-core'
import type { Status } from '../../shared/domain/budget-state.ts'
import type { Delivery } from '../../shared/domain/delivery-error.ts'
import type { WireDiscount } from '../../shared/domain/discount.ts'
import type { Choice, Selection } from '../../shared/domain/selection.ts'
import type { Area, Notation, Surface } from '../../shared/domain/teeth.ts'

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })
const instant = (name: string) => timestamp(name, { withTimezone: true })
const minor = (name: string) => bigint(name, { mode: 'bigint' })
const createdAt = () => instant('created_at').notNull().defaultNow()

/** Facts from the rows that record what was sent, decided, stored and ended. */
export interface LogFacts {
  signature_id?: string
  decision?: 'accepted' | 'rejected'
  /** MAC of the record, base64url. */
  record?: string
  content_digest?: string
  signed_pdf_sha256?: string
  /** MAC of the sent content, base64url. */
  sent?: string
  /**
   * Sessions opened with a correct code, until the decision; afterwards only the deciding one, if it was among them.
   */
  opened?: string[]
  /** Of the opened sessions, those whose code a channel brought the patient. */
  by_channel?: string[]
  /** Who set the code that the link had at the decision, and through which token. */
  code_by?: { user_id: string, token_id?: string }
  /** Versions revised from this one, and the one that replaced it, by id. */
  revisions?: string[]
  superseded_by?: string
  cancelled?: true
  /** MAC of when, by whom and for whom the acceptance was withdrawn. */
  withdrawn?: string
}

/** Text in several languages: `{ en: 'Cleaning', es: 'Limpieza' }`. */
export type Texts = Record<string, string>

/** Number and patient in lower case without accents; `wordsQuery` of db/list.ts folds search texts in the same way. */
const FOLDED = `lower(regexp_replace(normalize(number || ' ' || patient_first_name || ' ' || patient_last_name, NFKD), '[\\u0300-\\u036f]', '', 'g'))`

/** A line of a template. Code and name identify a removed treatment; everything else comes from the current catalog. */
export interface StoredTemplateLine {
  treatment_id: string
  code: string
  name: Texts
  quantity: number
  discount: WireDiscount | null
  note: string | null
}
export interface TemplateContent {
  /** The currency of discount amounts. */
  currency: string
  prices_include_tax: boolean
  items: StoredTemplateLine[]
  choices: (Pick<Choice, 'title' | 'rule'> & {
    options: (Omit<Choice['options'][number], 'id'> & { items: StoredTemplateLine[] })[]
  })[]
  global_discount: WireDiscount | null
  patient_notes: string | null
}

export const budget = pgTable(
  'budget',
  {
    id: uuid().primaryKey().defaultRandom(),
    clinic_id: uuid().notNull(),
    /** `PRES-2026-0001`; versions of one budget share it. */
    number: text().notNull(),
    version: integer().notNull().default(1),
    status: text().$type<Status>().notNull().default('draft'),
    patient_id: uuid().notNull(),
    /**
     * Copied at creation, and refreshed until the budget is sent: a decided document must not change with the patient's
     * record.
     */
    patient_first_name: text().notNull(),
    patient_last_name: text().notNull(),
    professional_id: uuid(),
    professional_name: text(),
    /** The clinician's licence when they were chosen; null if unknown. */
    professional_license: text(),
    currency: text().notNull(),
    /** Unit prices and amounts off a line include tax: the clinic's setting at creation, which never changes here. */
    prices_include_tax: boolean().notNull().default(false),
    locale: text().notNull(),
    time_zone: text().notNull(),
    valid_until: date({ mode: 'string' }),
    /** The end of `valid_until` in the clinic's zone, exclusive; set when sent. */
    expires_at: instant('expires_at'),
    discount_type: text().$type<'percent' | 'amount'>(),
    /** In hundredths of a percent, or minor units. */
    discount_value: minor('discount_value'),
    original_total: minor('original_total')
      .notNull()
      .default(sql`0`),
    total: minor('total')
      .notNull()
      .default(sql`0`),
    tax_total: minor('tax_total')
      .notNull()
      .default(sql`0`),
    /** The options that the patient chooses from; null without choices. The lines of an option refer to it. */
    choices: jsonb().$type<Choice[]>(),
    /** Totals of the cheapest and the most expensive complete selection; null without choices. */
    price_from: minor('price_from'),
    price_to: minor('price_to'),
    /** The accepted selection; from then on the totals are those of the selection. */
    selection: jsonb().$type<Selection>(),
    /** The conditions that modules gave when the budget was sent; null without any, and before. */
    clauses: jsonb().$type<ModuleClause[]>(),
    /** The clinic's own conditions that the draft chooses, by their ids; null: those that are on by default. */
    clause_ids: text().array(),
    /** The clinic's setting when the budget was sent; null before. */
    tooth_notation: text().$type<Notation>(),
    /** The patient was under 13, so a chart shows primary teeth. For a draft, as it was last saved. */
    deciduous: boolean().notNull().default(false),
    patient_notes: text(),
    internal_notes: text(),
    created_by: uuid(),
    created_at: createdAt(),
    updated_at: instant('updated_at').notNull().defaultNow(),
    sent_at: instant('sent_at'),
    /**
     * The clinic's name when the budget was sent: the only part of the content that is otherwise outside the budget's
     * rows.
     */
    clinic_name: text(),
    /** MAC over what was sent. Each view and decision verifies the rows with it: services/log/sent-seal.ts. */
    sent_seal: bytea(),
    viewed_at: instant('viewed_at'),
    decided_at: instant('decided_at'),
    /** How it was decided: by the patient's link, or in the clinic. */
    decided_via: text().$type<'remote_link' | 'in_clinic'>(),
    closed_at: instant('closed_at'),
    closed_reason: text(),
    /** When the patient withdrew the acceptance; the state stays `accepted`. */
    withdrawn_at: instant('withdrawn_at'),
    withdrawn_by: uuid(),
    withdrawal_requested_by: text().$type<'patient' | 'guardian' | 'representative'>(),
    /** Null once the patient's data was erased. */
    withdrawal_reason: text(),
    /** The acceptance was withdrawn, and another module has an invoice for it that needs follow-up. */
    withdrawn_invoiced: boolean().notNull().default(false),
    /** It was withdrawn or cancelled, and another module has an advance for it that was not returned. */
    withdrawn_paid: boolean().notNull().default(false),
    /** The version from which this one was revised, and the one that replaced it. */
    revises_id: uuid(),
    superseded_by_id: uuid(),
    signed_pdf_status: text().$type<'none' | 'pending' | 'ready'>().notNull().default('none'),
    signed_pdf_key: text(),
    signed_pdf_sha256: text(),
    signed_pdf_at: instant('signed_pdf_at'),
    /** Head of the access log's chain: the number of rows, the last hash, and a MAC over both. */
    log_count: integer().notNull().default(0),
    log_hash: bytea(),
    log_seal: bytea(),
    /**
     * When the patient's data was erased: no row contains it any more. Set only by services/privacy/erase-patient.ts,
     * and never changed again.
     */
    erased_at: instant('erased_at'),
    /** MAC over that instant and the kept proof, which reveals a budget that was emptied outside the service. */
    erased_seal: bytea(),
    /** Increases with each change of a draft; the ETag. */
    edit: integer().notNull().default(1),
    /**
     * The words that the list's search matches by prefix. It uses only built-in functions, because pg_trgm and unaccent
     * may not be allowed.
     */
    words: tsvector('words')
      .notNull()
      .generatedAlwaysAs(
        sql.raw(`array_to_tsvector(string_to_array(btrim(regexp_replace(${FOLDED} || ' ' || replace(${FOLDED}, '-', ' ') || ' ' || ltrim(split_part(number, '-', 3), '0'), '\\s+', ' ', 'g')), ' '))`)
      )
  },
  t => [
    unique('budget_number_version').on(t.clinic_id, t.number, t.version),
    // One index per order of the list, so that any page is an index scan; db/list.ts uses the same directions. The
    // state comes last, so that several of them can be filtered without reading rows.
    index('budget_list').on(t.clinic_id, t.created_at.desc(), t.id.desc(), t.status),
    index('budget_status').on(t.clinic_id, t.status, t.created_at.desc(), t.id.desc()),
    // PRES-2026-10000 comes after PRES-2026-9999: sorted by year, then length, then text.
    index('budget_by_number').on(t.clinic_id, sql`left(number, 9)`, sql`length(number)`, t.number, t.version, t.id),
    index('budget_total').on(t.clinic_id, t.total, t.id),
    index('budget_valid_until').on(t.clinic_id, t.valid_until, t.id),
    // Includes all columns that a year's report sums, so that it is answered from the index alone, without the wide
    // rows.
    index('budget_sent').on(
      t.clinic_id, t.sent_at.desc(), t.id.desc(),
      t.status, t.viewed_at, t.decided_at, t.withdrawn_at, t.total, t.price_to
    ),
    index('budget_decided').on(t.clinic_id, t.decided_at.desc(), t.id.desc()),
    index('budget_words').using('gin', t.words),
    index('budget_patient').on(t.clinic_id, t.patient_id, t.created_at.desc(), t.id.desc()),
    index('budget_professional').on(t.clinic_id, t.professional_id, t.created_at.desc(), t.id.desc()),
    // Budgets that need attention or a reminder are a small part of a clinic's budgets.
    index('budget_open_until')
      .on(t.clinic_id, t.expires_at)
      .where(sql`status = 'sent'`),
    index('budget_open_since')
      .on(t.clinic_id, t.sent_at)
      .where(sql`status = 'sent'`),
    index('budget_withdrawn_invoiced')
      .on(t.clinic_id, t.decided_at)
      .where(sql`withdrawn_invoiced`),
    index('budget_withdrawn_paid')
      .on(t.clinic_id, t.decided_at)
      .where(sql`withdrawn_paid`),
    index('budget_clinic_pdf_pending')
      .on(t.clinic_id, t.decided_at)
      .where(sql`signed_pdf_status = 'pending'`),
    index('budget_expiring')
      .on(t.expires_at)
      .where(sql`status = 'sent'`),
    index('budget_signed_pdf_pending')
      .on(t.decided_at)
      .where(sql`signed_pdf_status = 'pending'`),
    index('budget_signed_pdf_sha256')
      .on(t.signed_pdf_sha256)
      .where(sql`signed_pdf_sha256 is not null`),
    check(
      'budget_status_known',
      sql`status in ('draft','sent','accepted','rejected','expired','cancelled','superseded')`
    )
  ]
)

export const budgetItem = pgTable('budget_item', {
  id: uuid().primaryKey().defaultRandom(),
  budget_id: uuid().notNull(),
  clinic_id: uuid().notNull(),
  position: integer().notNull(),
  /** An option of the budget's `choices`; null: part of every selection. */
  option_id: uuid(),
  treatment_id: uuid().notNull(),
  /** Copied from the catalog when the line is added. */
  code: text().notNull(),
  name: jsonb().$type<Texts>().notNull(),
  description: jsonb().$type<Texts>().notNull(),
  /** With or without tax, as set in the budget. */
  unit_price: minor('unit_price').notNull(),
  /** Hundredths of a percent. */
  vat: integer().notNull(),
  quantity: smallint().notNull(),
  discount_type: text().$type<'percent' | 'amount'>(),
  discount_value: minor('discount_value'),
  /** Only in versions sent before teeth were structured data, whose content includes it; otherwise null. */
  tooth: text(),
  surfaces: text(),
  /** FDI codes (ISO 3950); null if there are none. */
  teeth: text().array(),
  /** Only for exactly one tooth. */
  tooth_surfaces: text().array().$type<Surface[]>(),
  area: text().$type<Area>(),
  site: text(),
  /** The patient sees it: part of the content. */
  note: text(),
  /** Only for staff. */
  notes: text(),
  /** Results of domain/pricing.ts. */
  original_price: minor('original_price').notNull(),
  price: minor('price').notNull(),
  tax: minor('tax').notNull()
}, t => [
  unique('budget_item_position').on(t.budget_id, t.position),
  check('budget_item_quantity', sql`quantity between 1 and 999`),
  check('budget_item_money', sql`unit_price >= 0 and price >= 0`),
  foreignKey({ name: 'budget_item_budget', columns: [t.budget_id], foreignColumns: [budget.id] }).onDelete('cascade')
])

/** When an accepted line was done, as the staff recorded it. Apart from the line, which is sealed. */
export const budgetItemDone = pgTable('budget_item_done', {
  item_id: uuid().primaryKey(),
  budget_id: uuid().notNull(),
  clinic_id: uuid().notNull(),
  done_on: date({ mode: 'string' }).notNull()
}, t => [
  index('budget_item_done_budget').on(t.budget_id),
  // Deferrable (0029), because a backup loads its rows in any order.
  foreignKey({ name: 'budget_item_done_item', columns: [t.item_id], foreignColumns: [budgetItem.id] })
    .onDelete('cascade')
])

/** A kind of budget that is written often, without patient and prices. */
export const budgetTemplate = pgTable('budget_template', {
  id: uuid().primaryKey().defaultRandom(),
  clinic_id: uuid().notNull(),
  name: text().notNull(),
  content: jsonb().$type<TemplateContent>().notNull(),
  created_at: instant('created_at').notNull().defaultNow(),
  created_by: uuid(),
  updated_at: instant('updated_at').notNull().defaultNow(),
  updated_by: uuid(),
  /** Increases with each change; the ETag. */
  edit: integer().notNull().default(1)
}, t => [index('budget_template_list').on(t.clinic_id, sql`lower(name)`, t.id)])

/**
 * Last number used per clinic and year; the row lock makes numbers consecutive. One more row counts these rows, see
 * db/numbers.ts.
 */
export const budgetNumber = pgTable('budget_number', {
  clinic_id: uuid().notNull(),
  year: integer().notNull(),
  last: integer().notNull(),
  /** MAC over the three columns, which reveals a counter that was set back. */
  seal: bytea()
}, t => [primaryKey({ name: 'budget_number_pkey', columns: [t.clinic_id, t.year] })])

/**
 * A budget's ids in other systems: one per system, for all versions of its number. The first version represents the
 * number.
 */
export const budgetExternalId = pgTable('budget_external_id', {
  clinic_id: uuid().notNull(),
  system: text().notNull(),
  external_id: text().notNull(),
  budget_id: uuid().notNull()
}, t => [
  primaryKey({ name: 'budget_external_id_pkey', columns: [t.clinic_id, t.system, t.external_id] }),
  uniqueIndex('budget_external_id_record').on(t.budget_id, t.system),
  foreignKey({ name: 'budget_external_id_budget', columns: [t.budget_id], foreignColumns: [budget.id] }).onDelete(
    'cascade'
  )
])

/** A deleted draft, which explains why its number or version is missing. */
export const budgetRemovedDraft = pgTable('budget_removed_draft', {
  budget_id: uuid().primaryKey(),
  clinic_id: uuid().notNull(),
  number: text().notNull(),
  version: integer().notNull(),
  removed_at: instant('removed_at').notNull().defaultNow(),
  /** Null if an erasure removed it, or if it was removed before this column existed. */
  removed_by: uuid(),
  /** MAC over budget, clinic, number and version. */
  seal: bytea().notNull()
}, t => [index('budget_removed_draft_number').on(t.clinic_id, t.number)])

/**
 * The progress of an unfinished run of `svc budgets verify`: one row for each kind, see services/proof/verify-mark.ts.
 */
export const budgetVerifyMark = pgTable('budget_verify_mark', {
  id: smallint().primaryKey(),
  /** The run's options and counts, written by services/proof/verify-mark.ts. */
  state: text().notNull(),
  seal: bytea().notNull(),
  saved_at: instant('saved_at').notNull().defaultNow()
})

/**
 * The number of a clinic's budgets in a state is the sum of `n`. Triggers append a row per change, so that no change
 * waits for a counter; the job `fold-counts` folds them periodically.
 */
export const budgetCount = pgTable('budget_count', {
  id: bigserial({ mode: 'bigint' }).primaryKey(),
  clinic_id: uuid().notNull(),
  status: text().$type<Status>().notNull(),
  n: integer().notNull()
}, t => [index('budget_count_clinic').on(t.clinic_id)])

/** Link, code and lock of one version. A draft may already have a code; it gets a token when it is sent. */
export const budgetLink = pgTable('budget_link', {
  budget_id: uuid().primaryKey(),
  clinic_id: uuid().notNull(),
  /** MAC over the token's SHA-256, for look-up. */
  token_hash: bytea(),
  /** MAC over the token's hash and the owning row; see services/link/row-seals.ts. */
  token_seal: bytea(),
  /** The token sealed with the instance secret, so that staff can copy the link again. */
  token_sealed: text(),
  /** The link's short address: MAC over its code for look-up, MAC over that and the link, and the sealed code. */
  short_hash: bytea(),
  short_seal: bytea(),
  short_sealed: text(),
  minted_at: instant('minted_at'),
  code_hash: text(),
  /** MAC over the hash and the owning row. */
  code_seal: bytea(),
  code_set_at: instant('code_set_at'),
  /** Since the last correct code, unlock or code change. Every fifth locks. */
  failed_attempts: integer().notNull().default(0),
  locked_until: instant('locked_until'),
  /** `manual`, or the name of a channel. */
  channel: text(),
  /** `delivered`: the channel's provider reported it. */
  delivery: text().$type<Delivery>().notNull().default('none'),
  /** A code of domain/delivery-error.ts. */
  delivery_error: text(),
  /** The channel's own words for it, if it has any. */
  delivery_reason: text(),
  delivered_at: instant('delivered_at'),
  /** Of an email: how it left. `file`, of any channel: it was only written to a file of the instance. */
  delivered_via: text().$type<'smtp' | 'file'>(),
  /** The address to which an earlier release emailed the link, sealed. Now in `budget_link_address`. */
  sent_to_sealed: text(),
  /** The last ordered message: an earlier one that is still queued is not sent. */
  message_id: uuid()
}, t => [
  uniqueIndex('budget_link_token').on(t.token_hash),
  uniqueIndex('budget_link_short').on(t.short_hash),
  index('budget_link_undelivered').on(t.clinic_id).where(sql`delivery = 'failed'`),
  index('budget_link_held').on(t.clinic_id).where(sql`delivery_error = 'address_changed'`),
  index('budget_link_locked').on(t.clinic_id, t.locked_until).where(sql`locked_until is not null`),
  foreignKey({ name: 'budget_link_budget', columns: [t.budget_id], foreignColumns: [budget.id] }).onDelete('cascade')
])

/**
 * The addresses to which a version's links went, by channel: a link goes to a different one only once it is confirmed,
 * and a code never goes to one that has the link itself.
 */
export const budgetLinkAddress = pgTable('budget_link_address', {
  id: bigserial({ mode: 'bigint' }).primaryKey(),
  budget_id: uuid().notNull(),
  clinic_id: uuid().notNull(),
  channel: text().notNull(),
  sealed: text().notNull(),
  /** The `token_hash` of the link that was sent last. */
  token_hash: bytea(),
  sent_at: instant('sent_at').notNull().defaultNow()
}, t => [
  index('budget_link_address_budget').on(t.budget_id, t.channel),
  foreignKey({
    name: 'budget_link_address_budget_fk', columns: [t.budget_id], foreignColumns: [budget.id]
  }).onDelete('cascade')
])

/** The last code that a channel brought the patient: for ten minutes, and only once. The link has the clinic's own. */
export const budgetSentCode = pgTable('budget_sent_code', {
  budget_id: uuid().primaryKey(),
  clinic_id: uuid().notNull(),
  message_id: uuid().notNull(),
  channel: text().notNull(),
  code_hash: text().notNull(),
  expires_at: instant('expires_at').notNull(),
  /** MAC over the row and the token of the link. */
  seal: bytea().notNull()
}, t => [
  foreignKey({ name: 'budget_sent_code_budget', columns: [t.budget_id], foreignColumns: [budget.id] }).onDelete('cascade')
])

/** An automatic reminder of one version: one row each, so that none is sent twice, however many instances check. */
export const budgetReminder = pgTable(
  'budget_reminder',
  {
    budget_id: uuid().notNull(),
    clinic_id: uuid().notNull(),
    /** Days after sending. */
    days: smallint().notNull(),
    at: instant('at').notNull().defaultNow(),
    /** Null: it was due but could not be sent, because the patient had no address. */
    message_id: uuid()
  },
  t => [
    primaryKey({ name: 'budget_reminder_pkey', columns: [t.budget_id, t.days] }),
    foreignKey({ name: 'budget_reminder_budget', columns: [t.budget_id], foreignColumns: [budget.id] }).onDelete(
      'cascade'
    )
  ]
)

/** A message between patient and clinic about a number, stored with the version on which it was written. */
export const budgetMessage = pgTable(
  'budget_message',
  {
    id: uuid().primaryKey(),
    clinic_id: uuid().notNull(),
    /** The budget's number: the thread continues over all its versions. */
    number: text().notNull(),
    budget_id: uuid().notNull(),
    /** The draft of a later version may get another patient, who must not see what the first one wrote. */
    patient_id: uuid().notNull(),
    /** Position in the thread, from 1. */
    seq: integer().notNull(),
    from: text().$type<'patient' | 'clinic'>().notNull(),
    /** The author for the clinic; null for the patient's own messages. */
    user_id: uuid(),
    text: text().notNull(),
    at: instant('at').notNull(),
    /** For the patient's messages: when someone answered or marked it as read. */
    read_at: instant('read_at'),
    /** MAC over the row without `read_at`. */
    seal: bytea().notNull()
  },
  t => [
    unique('budget_message_seq').on(t.clinic_id, t.number, t.seq),
    index('budget_message_budget').on(t.budget_id, t.at),
    index('budget_message_unread')
      .on(t.clinic_id, t.budget_id)
      .where(sql`"from" = 'patient' and read_at is null`),
    check('budget_message_from_known', sql`"from" in ('patient','clinic')`),
    foreignKey({ name: 'budget_message_budget_fk', columns: [t.budget_id], foreignColumns: [budget.id] })
  ]
)

/** The mail to staff about a decision, one per decision. The sender first claims the row for a while. */
export const budgetNotice = pgTable('budget_notice', {
  budget_id: uuid().primaryKey(),
  clinic_id: uuid().notNull(),
  message_id: uuid().notNull(),
  claimed_at: instant('claimed_at'),
  /** The claim's owner: a process whose claim has expired must not renew or release another's. */
  claim: uuid(),
  /** Also set if there was no address to write to. */
  done_at: instant('done_at')
}, t => [
  foreignKey({ name: 'budget_notice_budget', columns: [t.budget_id], foreignColumns: [budget.id] }).onDelete('cascade')
])

export const budgetSession = pgTable('budget_session', {
  /** MAC over the SHA-256 of the cookie's value, for look-up. */
  session_hash: bytea().primaryKey(),
  budget_id: uuid().notNull(),
  clinic_id: uuid().notNull(),
  created_at: createdAt(),
  last_used_at: instant('last_used_at').notNull().defaultNow(),
  ended_at: instant('ended_at'),
  /** `read` is logged once per session. */
  read_at: instant('read_at'),
  /** The member of staff who handed the budget over in the clinic; null for a session opened with a code. */
  handed_by: uuid(),
  /** MAC over the row, and over the token and code that opened it. */
  seal: bytea()
}, t => [
  index('budget_session_budget').on(t.budget_id),
  index('budget_session_age').on(t.created_at),
  foreignKey({ name: 'budget_session_budget', columns: [t.budget_id], foreignColumns: [budget.id] }).onDelete('cascade')
])

/** A budget that is being handed over to another device in the clinic: for ten minutes, and only once. */
export const budgetHandOver = pgTable('budget_hand_over', {
  budget_id: uuid().primaryKey(),
  clinic_id: uuid().notNull(),
  /** MACs over the six digits and over the secret of the QR code, for look-up. */
  digits_hash: bytea().notNull(),
  secret_hash: bytea().notNull(),
  /** The user who showed it, and their session: the hand-over ends with it. */
  user_id: uuid().notNull(),
  session_mark: text().notNull(),
  created_at: instant('created_at').notNull(),
  /** MAC over the row and the token of the link; empty once it was used. */
  seal: bytea().notNull()
}, t => [
  uniqueIndex('budget_hand_over_digits').on(t.digits_hash),
  uniqueIndex('budget_hand_over_secret').on(t.secret_hash),
  foreignKey({ name: 'budget_hand_over_budget', columns: [t.budget_id], foreignColumns: [budget.id] }).onDelete('cascade')
])

export const budgetSignature = pgTable('budget_signature', {
  id: uuid().primaryKey().defaultRandom(),
  budget_id: uuid().notNull(),
  clinic_id: uuid().notNull(),
  decision: text().$type<'accepted' | 'rejected'>().notNull(),
  signer_name: text().notNull(),
  relationship: text().$type<'patient' | 'guardian' | 'representative'>(),
  method: text().$type<'click' | 'typed' | 'drawn'>(),
  /** PNG, which we have encoded. */
  image: bytea(),
  consent_version: text(),
  /** The sentence itself, as the page showed it; null in records of earlier releases, and for a decline. */
  consent_text: text(),
  reason: text(),
  reason_code: text().$type<'price' | 'time' | 'second_opinion' | 'other'>(),
  /** The priced content that was decided on, as RFC 8785 JSON, and its SHA-256 in hex. */
  content: text().notNull(),
  content_digest: text().notNull(),
  ip: text(),
  user_agent: text(),
  /** The staff member who witnessed a decision in the clinic. */
  witness_id: uuid(),
  decided_at: instant('decided_at').notNull(),
  time_zone: text().notNull(),
  locale: text().notNull(),
  /** The patient, and the author of this version; null in records of earlier releases. */
  patient_id: uuid(),
  author_id: uuid(),
  document_sha256: text(),
  /** The evidence file kept after a patient's data was erased: key of `ctx.files`, and SHA-256 of its bytes in hex. */
  evidence_key: text(),
  evidence_sha256: text()
}, t => [
  unique('budget_signature_budget').on(t.budget_id),
  // A report counts reasons without reading the contents in the same rows.
  index('budget_signature_reason').on(t.budget_id, t.reason_code).where(sql`decision = 'rejected'`),
  foreignKey({ name: 'budget_signature_budget_fk', columns: [t.budget_id], foreignColumns: [budget.id] })
])

/** Replaces the expired rows at the beginning of a log: one per budget, and the next one includes it. */
export const budgetLogCheckpoint = pgTable(
  'budget_log_checkpoint',
  {
    budget_id: uuid().primaryKey(),
    clinic_id: uuid().notNull(),
    /** Number and hash of the last removed row: the log continues after it. */
    seq: integer().notNull(),
    hash: bytea().notNull(),
    /** Rows removed so far in all runs, and when the first and the last of them were written. */
    rows: integer('rows').notNull(),
    from_at: instant('from_at').notNull(),
    to_at: instant('to_at').notNull(),
    made_at: instant('made_at').notNull(),
    /** Facts that the removed rows proved and that can't be forged: record, digest and fingerprint. */
    facts: jsonb().$type<LogFacts>().notNull(),
    /** MAC over all of it. */
    seal: bytea().notNull()
  },
  t => [
    foreignKey({ name: 'budget_log_checkpoint_budget', columns: [t.budget_id], foreignColumns: [budget.id] }).onDelete(
      'cascade'
    )
  ]
)

export const budgetAccessLog = pgTable(
  'budget_access_log',
  {
    id: uuid().primaryKey().defaultRandom(),
    budget_id: uuid().notNull(),
    clinic_id: uuid().notNull(),
    /** Position in the budget's chain, from 1. */
    seq: integer().notNull(),
    at: instant('at').notNull(),
    action: text().notNull(),
    success: boolean().notNull(),
    actor: text().$type<'patient' | 'staff' | 'system'>().notNull(),
    user_id: uuid(),
    ip_hash: text(),
    user_agent: text(),
    detail: jsonb().$type<Record<string, unknown>>().notNull(),
    prev_hash: bytea(),
    hash: bytea().notNull()
  },
  t => [
    unique('budget_access_log_seq').on(t.budget_id, t.seq),
    index('budget_access_log_at').on(t.clinic_id, t.at),
    // The rows that a link's download limit counts.
    index('budget_access_log_downloads')
      .on(t.budget_id, t.at)
      .where(sql`action = 'signed_pdf_download'`),
    foreignKey({ name: 'budget_access_log_budget', columns: [t.budget_id], foreignColumns: [budget.id] }).onDelete(
      'cascade'
    )
  ]
)
