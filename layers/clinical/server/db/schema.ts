import { sql } from 'drizzle-orm'
import { boolean, customType, date, index, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })
const instant = (name: string) => timestamp(name, { withTimezone: true })

const audit = {
  /** Grows with each change; the ETag. */
  version: integer().notNull().default(1),
  created_at: instant('created_at').notNull().defaultNow(),
  created_by: uuid(),
  updated_at: instant('updated_at').notNull().defaultNow(),
  updated_by: uuid()
}

/** Folded text (domain/fold.ts) that a person is found and sorted by; last name first. */
const search = text().notNull()
/** Word by word for prefix matches: built in, where pg_trgm and unaccent may not be allowed. */
const words = tsvector('words').generatedAlwaysAs(sql`array_to_tsvector(string_to_array(search, ' '))`)

export const patient = pgTable('clinical_patient', {
  id: uuid().primaryKey().defaultRandom(),
  clinic_id: uuid().notNull(),
  first_name: text().notNull(),
  last_name: text().notNull(),
  email: text(),
  phone: text(),
  date_of_birth: date({ mode: 'string' }),
  /** The language of what this person receives. */
  locale: text().notNull(),
  /** Both for invoices. */
  tax_number: text(),
  address: text(),
  notes: text(),
  /** The row stays, because documents name its id; all personal data is gone. */
  erased_at: instant('erased_at'),
  search,
  words,
  ...audit
}, t => [
  index('clinical_patient_present').on(t.clinic_id, t.search, t.id).where(sql`erased_at is null`),
  index('clinical_patient_words').using('gin', t.words)
])

export const professional = pgTable('clinical_professional', {
  id: uuid().primaryKey().defaultRandom(),
  clinic_id: uuid().notNull(),
  name: text().notNull(),
  /** Number of the professional body, as printed on documents. */
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
