import { sql } from 'drizzle-orm'
import type { Clinic, ImportCounts, ImportEncoding, ImportOptions, ImportSettings, Json } from '@svc/kit'
import type { AuditAction } from '@svc/kit/audit'
import {
  bigint,
  bigserial,
  boolean,
  check,
  customType,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid
} from 'drizzle-orm/pg-core'

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' })
const instant = (name: string) => timestamp(name, { withTimezone: true })
const createdAt = () => instant('created_at').notNull().defaultNow()

// ---------------------------------------------------------------- modules

export const coreModule = pgTable('core_module', {
  name: text().primaryKey(),
  state: text().$type<'uninstalled' | 'installed' | 'to_install' | 'to_upgrade' | 'to_remove'>().notNull(),
  /** The version of the last completed operation, never the one on disk. */
  version: text(),
  category: text().notNull(),
  installed_at: instant('installed_at'),
  error_message: text(),
  error_at: instant('error_at'),
  last_state_change: instant('last_state_change').notNull().defaultNow(),
  applied_revision: text(),
  manifest: jsonb(),
  /** The pending operation's id and options (`force`, `keep_data`); null if nothing is pending. */
  pending: jsonb()
})

export const coreModuleOperationLog = pgTable('core_module_operation_log', {
  id: bigserial({ mode: 'bigint' }).primaryKey(),
  module_name: text().notNull(),
  operation: text().$type<'install' | 'upgrade' | 'uninstall'>().notNull(),
  step: text().notNull(),
  status: text().$type<'started' | 'completed' | 'failed' | 'skipped'>().notNull(),
  operation_id: uuid().notNull(),
  attempt: integer().notNull().default(1),
  detail: jsonb(),
  created_at: createdAt(),
  finished_at: instant('finished_at')
}, t => [index('core_module_operation_log_module').on(t.module_name, t.id)])

export const coreExternalId = pgTable(
  'core_external_id',
  {
    module_name: text().notNull(),
    xml_id: text().notNull(),
    table_name: text().notNull(),
    record_id: text().notNull(),
    noupdate: boolean().notNull().default(false),
    created_at: createdAt()
  },
  t => [
    unique('core_external_id_name').on(t.module_name, t.xml_id),
    index('core_external_id_record').on(t.table_name, t.record_id)
  ]
)

export const coreMigration = pgTable('core_migration', {
  module_name: text().notNull(),
  revision: text().notNull(),
  checksum: text().notNull(),
  applied_at: instant('applied_at').notNull().defaultNow()
}, t => [primaryKey({ name: 'core_migration_pkey', columns: [t.module_name, t.revision] })])

// ---------------------------------------------------------------- clinics and people

export const coreClinic = pgTable('core_clinic', {
  id: uuid().primaryKey().defaultRandom(),
  name: text().notNull(),
  address: text(),
  phone: text(),
  email: text(),
  logo: bytea(),
  logo_type: text(),
  accent_color: text(),
  /** ISO 3166-1 alpha-2. Phone numbers without a country code belong to this country. */
  country: text(),
  // Details that invoices must show; missing ones are not printed.
  legal_name: text(),
  tax_number: text(),
  registration: text(),
  insurer: text(),
  currency: text().notNull(),
  time_zone: text().notNull(),
  locale: text().notNull(),
  /** Whether the prices that staff enter and see include tax. */
  prices_include_tax: boolean().notNull().default(false),
  ip_policy: text().$type<'full' | 'hashed' | 'none'>().notNull().default('full'),
  notify_decisions: boolean().notNull().default(true),
  retention: jsonb()
    .$type<Clinic['retention']>()
    .notNull()
    .default({ access_log_months: 120, audit_months: 24 }),
  /** Whether the checklist of a new clinic was dismissed. */
  first_steps_hidden: boolean().notNull().default(false),
  /** Who needs a second factor to sign in. */
  second_factor: text().$type<'none' | 'administrators' | 'all'>().notNull().default('none'),
  /** Since when a second factor has been required of anyone. */
  second_factor_since: instant('second_factor_since'),
  version: integer().notNull().default(1),
  created_at: createdAt()
})

/** A clinic's settings of a module, and what the module's settings declare. A clinic without a row has the defaults. */
export const coreModuleSetting = pgTable('core_module_setting', {
  clinic_id: uuid().notNull().references(() => coreClinic.id),
  /** No foreign key: the settings outlive the module's row, and `--keep-data` keeps them. */
  module: text().notNull(),
  /** Only fields that were changed, so that a new default applies to all others. */
  values: jsonb().$type<Record<string, Json>>().notNull().default({}),
  /** By field, sealed with the instance secret. */
  secrets: jsonb().$type<Record<string, string>>().notNull().default({}),
  /** When each field was last changed: ISO 8601 by its name, or by the name of its part (`field.part`). */
  changed_at: jsonb().$type<Record<string, string>>().notNull().default({}),
  version: integer().notNull().default(1)
}, t => [primaryKey({ name: 'core_module_setting_pkey', columns: [t.clinic_id, t.module] })])

export const coreUser = pgTable('core_user', {
  id: uuid().primaryKey().defaultRandom(),
  /** In lower case. */
  email: text().notNull().unique(),
  first_name: text().notNull(),
  last_name: text().notNull(),
  /** Null until the invitation is accepted. */
  password_hash: text(),
  /** When the address was proven to be its holder's: by a mailed link, or by the operator. */
  email_proven_at: instant('email_proven_at'),
  instance_admin: boolean().notNull().default(false),
  /** The language of the screens, such as `es`; null uses the browser's, then the clinic's. */
  locale: text(),
  /** Set by the operator, for every clinic: no clinic can undo it. */
  deactivated_at: instant('deactivated_at'),
  /**
   * Ids of the person's second factors, sorted and separated by spaces; null if there are none. Covered by the seal.
   */
  factors: text(),
  /** Those factors that the person has not confirmed since the password changed. Covered by the seal. */
  factors_to_review: text(),
  /** The first sign-in. */
  signed_in_at: instant('signed_in_at'),
  created_at: createdAt(),
  /** MAC over the columns that `people/seals/row-seals.ts` lists; null if the row was not written by the service. */
  seal: bytea()
})

export const coreMembership = pgTable(
  'core_membership',
  {
    clinic_id: uuid()
      .notNull()
      .references(() => coreClinic.id),
    user_id: uuid()
      .notNull()
      .references(() => coreUser.id),
    role: text().$type<'admin' | 'dentist' | 'hygienist' | 'assistant' | 'receptionist'>().notNull(),
    /** Always false until the person has agreed. */
    active: boolean().notNull().default(true),
    consented_at: instant('consented_at'),
    /** The clinic is waiting for the person's answer. */
    asked: boolean().notNull().default(false),
    /** As the clinic typed them, until the person agrees: until then, an account from elsewhere reveals nothing. */
    first_name: text(),
    last_name: text(),
    created_at: createdAt(),
    /** MAC over the columns that `people/seals/row-seals.ts` lists; null if the row was not written by the service. */
    seal: bytea()
  },
  t => [
    primaryKey({ name: 'core_membership_pkey', columns: [t.clinic_id, t.user_id] }),
    index('core_membership_user').on(t.user_id)
  ]
)

export const coreSession = pgTable('core_session', {
  /** MAC over the SHA-256 of the cookie or bearer value, for look-up; random once the session has ended. */
  token_hash: bytea().primaryKey(),
  user_id: uuid().notNull().references(() => coreUser.id),
  clinic_id: uuid().references(() => coreClinic.id),
  created_at: createdAt(),
  last_used_at: instant('last_used_at').notNull().defaultNow(),
  revoked_at: instant('revoked_at'),
  /** How the person signed in; null: with only the password. */
  way: text().$type<'totp' | 'recovery_code' | 'passkey' | 'provider'>(),
  /** For the person's list of sessions, such as "Firefox · Windows". */
  browser: text(),
  /** When the person proved what `confirmed_by` lists, as in `people/confirmation`: words separated by spaces. */
  confirmed_at: instant('confirmed_at'),
  confirmed_by: text(),
  /** Until when an overdue person can add a first factor in this session, after opening an enrolment link. */
  enrol_until: instant('enrol_until'),
  /** MAC over the columns that `people/seals/row-seals.ts` lists; null if the row was not written by the service. */
  seal: bytea()
}, t => [index('core_session_user').on(t.user_id), index('core_session_age').on(t.created_at)])

export const coreToken = pgTable('core_token', {
  id: uuid().primaryKey().defaultRandom(),
  name: text(),
  scope: text().$type<'admin' | 'metrics'>().notNull(),
  token_hash: bytea().notNull().unique(),
  expires_at: instant('expires_at'),
  revoked_at: instant('revoked_at'),
  created_at: createdAt(),
  /** MAC over the columns that `people/seals/row-seals.ts` lists; null if the row was not written by the service. */
  seal: bytea()
})

/** A token for a clinic's program. It acts with those of its scopes that its creator has at that moment. */
export const coreClinicToken = pgTable('core_clinic_token', {
  id: uuid().primaryKey().defaultRandom(),
  clinic_id: uuid().notNull().references(() => coreClinic.id),
  /** The creator, whose rights limit the token's. */
  user_id: uuid().notNull().references(() => coreUser.id),
  name: text().notNull(),
  /** Names of permissions. */
  scopes: text().array().notNull(),
  /** MAC over the SHA-256 of the token, for look-up; random once it is revoked. */
  token_hash: bytea().notNull().unique(),
  expires_at: instant('expires_at').notNull(),
  /** To the minute. */
  last_used_at: instant('last_used_at'),
  revoked_at: instant('revoked_at'),
  created_at: createdAt(),
  /** MAC over the columns that `people/seals/row-seals.ts` lists; null if the row was not written by the service. */
  seal: bytea()
}, t => [index('core_clinic_token_clinic').on(t.clinic_id)])

/** A POST with an `Idempotency-Key`, while it runs, and its answer for a day. */
export const coreIdempotency = pgTable('core_idempotency', {
  /** SHA-256 over clinic, caller, address and key. */
  id: bytea().primaryKey(),
  /** MAC over the bytes of the request's body. */
  body_mac: bytea().notNull(),
  /** The run that owns the row: one that was presumed dead cannot write into another's row. */
  run_id: uuid().notNull(),
  /** Extended while it runs. After this time, the process of the run counts as dead. */
  running_until: instant('running_until').notNull(),
  /** Sealed with the instance secret; null while it runs. */
  answer: text(),
  created_at: createdAt()
}, t => [index('core_idempotency_age').on(t.created_at)])

/** Single-use mailed tokens: an invitation or a password reset. */
export const coreMailedToken = pgTable(
  'core_mailed_token',
  {
    token_hash: bytea().primaryKey(),
    /**
     * `membership` invites the holder of an account. The `handed_` ones were passed on by hand, so they prove no
     * address.
     */
    purpose: text()
      .$type<
        | 'invitation' | 'handed_invitation' | 'membership' | 'handed_membership' | 'password_reset'
        | 'enrolment' | 'factor_removal'
    >()
      .notNull(),
    user_id: uuid()
      .notNull()
      .references(() => coreUser.id),
    /** The inviting clinic; null for a reset. */
    clinic_id: uuid().references(() => coreClinic.id),
    /** The factor that a `factor_removal` removes. No foreign key, because the link outlives the factor. */
    factor_id: uuid(),
    expires_at: instant('expires_at').notNull(),
    used_at: instant('used_at'),
    created_at: createdAt(),
    /** MAC over the columns that `people/seals/row-seals.ts` lists; null if the row was not written by the service. */
    seal: bytea()
  },
  t => [index('core_mailed_token_age').on(t.expires_at)]
)

/** A factor with which a person signs in, besides the password. It is valid if `core_user.factors` lists it. */
export const coreFactor = pgTable('core_factor', {
  id: uuid().primaryKey().defaultRandom(),
  user_id: uuid().notNull().references(() => coreUser.id),
  kind: text().$type<'totp' | 'passkey'>().notNull(),
  /** The person's name for it. */
  name: text().notNull(),
  /** Where it was added, such as "Firefox · Windows". */
  browser: text(),
  /** TOTP: the shared secret, sealed with the instance's. Passkey: the public key (COSE, base64url). */
  secret: text().notNull(),
  /** Passkey: the authenticator's credential id (base64url). */
  credential_id: text().unique('core_factor_credential'),
  /** Passkey: its transports, separated by spaces. */
  transports: text(),
  /** TOTP: the last time step used. Passkey: the authenticator's counter. Neither ever decreases. */
  counter: bigint({ mode: 'number' }).notNull().default(0),
  last_used_at: instant('last_used_at'),
  created_at: createdAt(),
  /** MAC over the columns that `people/seals/row-seals.ts` lists; null if the row was not written by the service. */
  seal: bytea()
}, t => [index('core_factor_user').on(t.user_id)])

/** Unused codes; a used one is deleted. */
export const coreRecoveryCode = pgTable('core_recovery_code', {
  /** MAC over the person and the code. */
  code_hash: bytea().primaryKey(),
  user_id: uuid().notNull().references(() => coreUser.id)
}, t => [index('core_recovery_code_user').on(t.user_id)])

/** Connects two requests of one sign-in or enrolment: known only to the caller, short-lived, used once. */
export const coreSignInStep = pgTable('core_sign_in_step', {
  /** MAC over the SHA-256 of a ticket, a challenge or a state. */
  token_hash: bytea().primaryKey(),
  purpose: text().$type<'ticket' | 'enrolment' | 'passkey' | 'provider' | 'confirmation'>().notNull(),
  user_id: uuid().references(() => coreUser.id),
  /** MAC over the SHA-256 of another value that the same caller must present; null if none is needed. */
  bound_to: bytea(),
  /** The number of codes tried. */
  tries: integer().notNull().default(0),
  expires_at: instant('expires_at').notNull(),
  /** MAC over the columns that `people/seals/row-seals.ts` lists; null if the row was not written by the service. */
  seal: bytea()
}, t => [index('core_sign_in_step_age').on(t.expires_at), index('core_sign_in_step_user').on(t.user_id)])

// ---------------------------------------------------------------- audit log

/**
 * One chain of rows for each clinic, and one for the instance, whose `clinic_id` is the nil UUID. No foreign key: its
 * check would wait for a transaction that changes the clinic, while that one waits for the head.
 */
export const coreAudit = pgTable('core_audit', {
  id: uuid().primaryKey(),
  clinic_id: uuid().notNull(),
  /** Position in the chain, from 1. */
  seq: integer().notNull(),
  at: instant('at').notNull(),
  actor_type: text().$type<'user' | 'token' | 'system'>().notNull(),
  actor_id: text(),
  /** The name of a token or the system; a user's name is looked up. */
  actor_name: text(),
  action: text().$type<AuditAction>().notNull(),
  target_kind: text(),
  target_id: text(),
  detail: jsonb().$type<Record<string, Json>>().notNull(),
  /** As the clinic's `ip_policy` required at the time: in full, as a keyed hash, or null. */
  address: text(),
  prev_hash: bytea(),
  hash: bytea().notNull()
}, t => [
  unique('core_audit_seq').on(t.clinic_id, t.seq),
  index('core_audit_action').on(t.clinic_id, t.action, t.seq),
  index('core_audit_actor').on(t.clinic_id, t.actor_id, t.seq),
  index('core_audit_at').on(t.clinic_id, t.at)
])

/** The end of each chain. It is created with the clinic, so that a log emptied by SQL is not taken for a new one. */
export const coreAuditHead = pgTable('core_audit_head', {
  clinic_id: uuid().primaryKey(),
  count: integer('count').notNull(),
  hash: bytea(),
  /** MAC over all columns. */
  seal: bytea().notNull()
})

/** Replaces the expired rows at the beginning of a chain. */
export const coreAuditCheckpoint = pgTable('core_audit_checkpoint', {
  clinic_id: uuid().primaryKey(),
  /** Number and hash of the last removed row: the chain continues after it. */
  seq: integer().notNull(),
  hash: bytea().notNull(),
  /** When the first and the last of the removed rows were written. */
  from_at: instant('from_at').notNull(),
  to_at: instant('to_at').notNull(),
  made_at: instant('made_at').notNull(),
  /** MAC over all columns. */
  seal: bytea().notNull()
})

// ---------------------------------------------------------------- events and jobs

export const coreEvent = pgTable('core_event', {
  id: uuid().primaryKey().defaultRandom(),
  seq: bigserial({ mode: 'bigint' }).notNull(),
  name: text().notNull(),
  clinic_id: uuid(),
  payload: jsonb().notNull(),
  occurred_at: instant('occurred_at').notNull().defaultNow()
}, t => [uniqueIndex('core_event_seq').on(t.seq), index('core_event_age').on(t.occurred_at)])

/** One row per (subscriber, event) and per job. The rows of a line are processed in the order of `id`. */
export const coreDelivery = pgTable('core_delivery', {
  id: bigserial({ mode: 'bigint' }).primaryKey(),
  module_name: text().notNull(),
  kind: text().$type<'event' | 'job'>().notNull(),
  /** The name of the event or job. */
  name: text().notNull(),
  /** Rows of one module and line are delivered one after the other. */
  line: text().notNull(),
  event_id: uuid(),
  payload: jsonb(),
  status: text().$type<'pending' | 'done'>().notNull().default('pending'),
  attempts: integer().notNull().default(0),
  next_attempt_at: instant('next_attempt_at').notNull().defaultNow(),
  last_error: text(),
  created_at: createdAt(),
  done_at: instant('done_at')
}, t => [
  index('core_delivery_line').on(t.module_name, t.line, t.id).where(sql`status = 'pending'`),
  index('core_delivery_done').on(t.kind, t.done_at).where(sql`status = 'done'`),
  index('core_delivery_of_event').on(t.event_id).where(sql`event_id is not null`),
  foreignKey({ name: 'core_delivery_event', columns: [t.event_id], foreignColumns: [coreEvent.id] })
])

/** When each schedule is due next, by the database's clock. Rows of removed schedules stay. */
export const coreSchedule = pgTable('core_schedule', {
  module_name: text().notNull(),
  name: text().notNull(),
  next_at: instant('next_at').notNull()
}, t => [primaryKey({ name: 'core_schedule_pkey', columns: [t.module_name, t.name] })])

// ---------------------------------------------------------------- outgoing webhooks

export const coreWebhook = pgTable('core_webhook', {
  id: uuid().primaryKey().defaultRandom(),
  clinic_id: uuid().notNull().references(() => coreClinic.id),
  url: text().notNull(),
  /** Names of events, or only `*` for all. */
  events: text().array().notNull(),
  /** Whether the patient's own words for a rejection are sent. */
  include_reason: boolean().notNull().default(false),
  /** Changed only by people: a failing webhook is shown as such, but never switched off. */
  active: boolean().notNull().default(true),
  /** The signing secret, sealed with the instance secret. */
  secret: text().notNull(),
  /** When the current series of failed attempts began; null after a success. */
  failing_since: instant('failing_since'),
  /**
   * The error of the last attempt, while attempts fail: `code` or `code:value`, as from `writeFailure`. A sentence in
   * rows of an earlier release.
   */
  last_error: text(),
  last_success_at: instant('last_success_at'),
  created_at: createdAt()
}, t => [index('core_webhook_clinic').on(t.clinic_id)])

export const coreWebhookDelivery = pgTable('core_webhook_delivery', {
  id: uuid().primaryKey().defaultRandom(),
  webhook_id: uuid().notNull().references(() => coreWebhook.id, { onDelete: 'cascade' }),
  event_id: uuid().notNull().references(() => coreEvent.id),
  status: text().$type<'pending' | 'delivered' | 'failed'>().notNull().default('pending'),
  /** All attempts, including those before a replay. */
  attempts: integer().notNull().default(0),
  /** Failed attempts since it was queued, which decide the next retry's delay. */
  failures: integer().notNull().default(0),
  /** While an attempt runs: when another process may take it over. Null if no further attempt is planned. */
  next_attempt_at: instant('next_attempt_at').defaultNow(),
  /** Identifies the attempt's owner. It changes when another process takes over the lease. */
  claim: uuid(),
  created_at: createdAt(),
  done_at: instant('done_at')
}, t => [
  index('core_webhook_delivery_due').on(t.webhook_id, t.next_attempt_at).where(sql`status = 'pending'`),
  index('core_webhook_delivery_done').on(t.done_at).where(sql`status <> 'pending'`),
  index('core_webhook_delivery_failed').on(t.webhook_id, t.created_at, t.id).where(sql`status = 'failed'`),
  index('core_webhook_delivery_list').on(t.webhook_id, t.created_at, t.id),
  index('core_webhook_delivery_event').on(t.event_id)
])

export const coreWebhookAttempt = pgTable('core_webhook_attempt', {
  id: bigserial({ mode: 'bigint' }).primaryKey(),
  delivery_id: uuid().notNull().references(() => coreWebhookDelivery.id, { onDelete: 'cascade' }),
  at: instant('at').notNull().defaultNow(),
  duration_ms: integer().notNull(),
  /** Null if there was no response. */
  response_status: integer(),
  /** The start of the response's body. */
  response_body: text(),
  /** `code` or `code:value`, like `last_error` of the webhook. */
  error: text()
}, t => [index('core_webhook_attempt_delivery').on(t.delivery_id, t.id)])

// ---------------------------------------------------------------- imports

/** Counts of rows, and of remarks on them. */
export interface ImportTotals extends ImportCounts { lost?: number, notes?: number, renamed?: number }

/** How the bytes of a file become rows, in addition to encoding and delimiter. */
export interface StoredForm {
  /** 0: there is no header. */
  header_line?: number
  /** The first line with a record. */
  first_line?: number
  /** Lines that hold no record. */
  passed_over?: number[]
  /** The encoding of lines that are not UTF-8, and the first such line. */
  other?: ImportEncoding
  other_lines?: number[]
  /** Quotation marks inside cells are escaped with a backslash. */
  backslashes?: boolean
  /** Only the raw rows show whether a quoted cell is closed. */
  raw_quotes?: boolean
}

/** A file of records. Personal data in it is sealed, and deleted when the import ends or two days after the upload. */
export const coreImport = pgTable('core_import', {
  id: uuid().primaryKey().defaultRandom(),
  clinic_id: uuid().notNull().references(() => coreClinic.id),
  module: text().notNull(),
  kind: text().notNull(),
  /** The user who runs it, and the author of the rows that it writes. */
  user_id: uuid(),
  /** Sealed JSON: the file's name, headers and first rows. */
  head: text().notNull(),
  encoding: text().notNull(),
  delimiter: text().notNull(),
  /** The number of records, without the header. */
  rows: integer().notNull(),
  /** Further results of the file's examination; empty for a file of an earlier version. */
  form: jsonb().$type<StoredForm>().notNull().default({}),
  /** The options that the user chose. */
  options: jsonb().$type<ImportOptions>().notNull().default({}),
  /** Field → index of its column, or of several. */
  mapping: jsonb().$type<Record<string, number | number[]>>().notNull(),
  /** The clinic's settings at the time of the upload. */
  settings: jsonb().$type<ImportSettings>().notNull(),
  state: text().$type<'uploaded' | 'checked' | 'running' | 'done' | 'failed'>().notNull().default('uploaded'),
  done: integer().notNull().default(0),
  /** How often the job has started since the last batch was written. */
  tries: integer().notNull().default(0),
  counts: jsonb().$type<ImportTotals>(),
  /** The code of a problem. */
  reason: text(),
  created_at: createdAt(),
  finished_at: instant('finished_at')
}, t => [index('core_import_clinic').on(t.clinic_id, t.module, t.created_at), index('core_import_age').on(t.created_at)])

/** The file, in sealed pieces. */
export const coreImportChunk = pgTable('core_import_chunk', {
  import_id: uuid().notNull().references(() => coreImport.id, { onDelete: 'cascade' }),
  position: integer().notNull(),
  sealed: text().notNull()
}, t => [primaryKey({ name: 'core_import_chunk_pkey', columns: [t.import_id, t.position] })])

/** The results of a batch of rows, committed together with what it wrote. */
export const coreImportBatch = pgTable('core_import_batch', {
  import_id: uuid().notNull().references(() => coreImport.id, { onDelete: 'cascade' }),
  is_check: boolean().notNull(),
  /** The position after its last row. */
  position: integer().notNull(),
  /** Keyed hashes of the names by which its rows are found, eight bytes each. Null for a check. */
  names: bytea(),
  wrong: jsonb().$type<{ line: number, column: string, message: string }[]>().notNull(),
  /** Sealed JSON: remarks on its rows, with the values of their cells; null if there are none. */
  remarks: text()
}, t => [primaryKey({ name: 'core_import_batch_pkey', columns: [t.import_id, t.is_check, t.position] })])

// ---------------------------------------------------------------- channels

/**
 * A message that a module's channel has sent, identified by the provider's reference: the job that gets its report, and
 * the state that the provider reported. A report can arrive before the message is stored here.
 */
export const coreChannelMessage = pgTable('core_channel_message', {
  channel: text().notNull(),
  ref: text().notNull(),
  /** Module, job and message that a report goes to; null until the message is known. */
  owner: jsonb(),
  state: text().$type<'delivered' | 'failed'>(),
  reason: text(),
  created_at: createdAt()
}, t => [
  primaryKey({ name: 'core_channel_message_pkey', columns: [t.channel, t.ref] }),
  index('core_channel_message_age').on(t.created_at)
])

// ---------------------------------------------------------------- set-up, limits and secrets

/** The set-up code of an instance without a clinic: at most one row. */
export const coreSetup = pgTable('core_setup', {
  id: integer().primaryKey().default(1),
  /** MAC over the code, which is shown once. */
  code_hash: bytea().notNull(),
  created_at: createdAt(),
  /** MAC over the columns that `people/seals/row-seals.ts` lists; null if the row was not written by the service. */
  seal: bytea()
}, () => [check('core_setup_single', sql`id = 1`)])

/** One row per limit and key, until its window ends. */
export const coreRateLimit = pgTable('core_rate_limit', {
  key: text().primaryKey(),
  points: integer().notNull().default(0),
  expire: instant('expire')
}, t => [index('core_rate_limit_expire').on(t.expire)])

/** Each instance secret that was ever in use: a start with a different one fails. The secret itself is not stored. */
export const coreSecret = pgTable('core_secret', {
  /** The same id as in the hashes of passwords and codes. */
  key_id: text().primaryKey(),
  /** MAC over the id with that secret. */
  mac: bytea().notNull(),
  since: instant('since').notNull().defaultNow(),
  /** Null for the one in use. */
  until: instant('until')
})

/** The instance's sealing certificate. The private key is sealed with the instance secret. */
export const coreCertificate = pgTable('core_certificate', {
  id: uuid().primaryKey().defaultRandom(),
  certificate: bytea().notNull(),
  private_key: text().notNull(),
  not_after: instant('not_after').notNull(),
  created_at: createdAt()
})
