import { sql } from 'drizzle-orm'
import {
  boolean,
  customType,
  date,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid
} from 'drizzle-orm/pg-core'

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })
const instant = (name: string) => timestamp(name, { withTimezone: true })

const audit = {
  /** Increases with each change; the ETag. */
  version: integer().notNull().default(1),
  created_at: instant('created_at').notNull().defaultNow(),
  created_by: uuid(),
  updated_at: instant('updated_at').notNull().defaultNow(),
  updated_by: uuid()
}

/** Folded text (@svc/kit/search) by which a person is found and sorted, last name first. */
const search = text().notNull()
/** Words for prefix matches. Uses only built-in functions, because pg_trgm and unaccent may not be allowed. */
const words = tsvector('words').generatedAlwaysAs(sql`array_to_tsvector(string_to_array(search, ' '))`)

export const patient = pgTable('clinical_patient', {
  id: uuid().primaryKey().defaultRandom(),
  clinic_id: uuid().notNull(),
  first_name: text().notNull(),
  last_name: text().notNull(),
  email: text(),
  phone: text(),
  date_of_birth: date({ mode: 'string' }),
  /** The language of messages to this person. */
  locale: text().notNull(),
  /** Both for invoices. */
  tax_number: text(),
  address: text(),
  notes: text(),
  /** The row stays, because documents refer to its id. All personal data was removed. */
  erased_at: instant('erased_at'),
  search,
  words,
  ...audit
}, t => [
  index('clinical_patient_present').on(t.clinic_id, t.search, t.id).where(sql`erased_at is null`),
  index('clinical_patient_words').using('gin', t.words),
  // Identifies the record of an imported row.
  index('clinical_patient_email')
    .on(t.clinic_id, sql`lower(email)`, t.date_of_birth)
    .where(sql`email is not null`)
])

export const professional = pgTable('clinical_professional', {
  id: uuid().primaryKey().defaultRandom(),
  clinic_id: uuid().notNull(),
  name: text().notNull(),
  /** The number in the professional register, as printed on documents. */
  license_number: text(),
  /** `#rrggbb`, for calendars and lists. */
  color: text(),
  active: boolean().notNull().default(true),
  search,
  words,
  ...audit
}, t => [
  index('clinical_professional_list').on(t.clinic_id, t.search, t.id),
  index('clinical_professional_words').using('gin', t.words)
])

/** A record's ids in other systems: one per system. */
const externalId = {
  clinic_id: uuid().notNull(),
  system: text().notNull(),
  external_id: text().notNull()
}

export const patientExternalId = pgTable('clinical_patient_external_id', {
  ...externalId,
  patient_id: uuid().notNull()
}, t => [
  primaryKey({ name: 'clinical_patient_external_id_pkey', columns: [t.clinic_id, t.system, t.external_id] }),
  uniqueIndex('clinical_patient_external_id_record').on(t.patient_id, t.system),
  foreignKey({ name: 'clinical_patient_external_id_patient', columns: [t.patient_id], foreignColumns: [patient.id] })
])

export const professionalExternalId = pgTable('clinical_professional_external_id', {
  ...externalId,
  professional_id: uuid().notNull()
}, t => [
  primaryKey({ name: 'clinical_professional_external_id_pkey', columns: [t.clinic_id, t.system, t.external_id] }),
  uniqueIndex('clinical_professional_external_id_record').on(t.professional_id, t.system),
  foreignKey({
    name: 'clinical_professional_external_id_professional',
    columns: [t.professional_id],
    foreignColumns: [professional.id]
  })
])
