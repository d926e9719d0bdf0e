import { sql } from 'drizzle-orm'
import {
  bigint,
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

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })
const instant = (name: string) => timestamp(name, { withTimezone: true })

/** Text in several languages: `{ en: 'Cleaning', es: 'Limpieza' }`. */
export type Texts = Record<string, string>

/** Seeded, the same for every clinic. */
export const category = pgTable('catalog_category', {
  code: text().primaryKey(),
  name: jsonb().$type<Texts>().notNull(),
  position: integer().notNull()
})

export const treatment = pgTable('catalog_treatment', {
  id: uuid().primaryKey().defaultRandom(),
  clinic_id: uuid().notNull(),
  code: text().notNull(),
  name: jsonb().$type<Texts>().notNull(),
  description: jsonb().$type<Texts>().notNull().default({}),
  category: text(),
  /** In minor units of the clinic's currency, with or without tax as the clinic's setting says. */
  unit_price: bigint({ mode: 'bigint' }).notNull(),
  /**
   * What a person typed, in the other mode than the clinic's, where the setting converted it since; a trigger empties
   * it once price or VAT are edited.
   */
  typed_price: bigint({ mode: 'bigint' }),
  /** Hundredths of a percent. */
  vat: integer().notNull(),
  active: boolean().notNull().default(true),
  counts: text({ enum: ['tooth', 'piece', 'once'] }).notNull().default('tooth'),
  surfaces: integer(),
  /** Folded text (@svc/kit/search), code first, that a treatment is found and sorted by. */
  search: text().notNull(),
  words: tsvector('words').generatedAlwaysAs(sql`array_to_tsvector(string_to_array(search, ' '))`),
  /** Grows with each change; the ETag. */
  version: integer().notNull().default(1),
  created_at: instant('created_at').notNull().defaultNow(),
  created_by: uuid(),
  updated_at: instant('updated_at').notNull().defaultNow(),
  updated_by: uuid()
}, t => [
  unique('catalog_treatment_code').on(t.clinic_id, t.code),
  index('catalog_treatment_list').on(t.clinic_id, t.search, t.id),
  index('catalog_treatment_words').using('gin', t.words),
  // Finds the record of an imported row.
  index('catalog_treatment_code_folded').on(t.clinic_id, sql`lower(code)`),
  check('catalog_treatment_money', sql`unit_price >= 0 and vat between 0 and 10000`),
  check('catalog_treatment_counting', sql`counts in ('tooth', 'piece', 'once') and surfaces between 1 and 5`),
  // Deferrable (0001): a backup loads its tables in any order.
  foreignKey({ name: 'catalog_treatment_category', columns: [t.category], foreignColumns: [category.code] })
])

/** What other systems call a treatment: one id a system. */
export const treatmentExternalId = pgTable('catalog_treatment_external_id', {
  clinic_id: uuid().notNull(),
  system: text().notNull(),
  external_id: text().notNull(),
  treatment_id: uuid().notNull()
}, t => [
  primaryKey({ name: 'catalog_treatment_external_id_pkey', columns: [t.clinic_id, t.system, t.external_id] }),
  uniqueIndex('catalog_treatment_external_id_record').on(t.treatment_id, t.system),
  foreignKey({ name: 'catalog_treatment_external_id_treatment', columns: [t.treatment_id], foreignColumns: [treatment.id] })
])

/** Treatments that are often added together. */
export const treatmentSet = pgTable('catalog_set', {
  id: uuid().primaryKey().defaultRandom(),
  clinic_id: uuid().notNull(),
  name: text().notNull(),
  /** As that of a treatment. */
  search: text().notNull(),
  words: tsvector('words').generatedAlwaysAs(sql`array_to_tsvector(string_to_array(search, ' '))`),
  version: integer().notNull().default(1),
  created_at: instant('created_at').notNull().defaultNow(),
  created_by: uuid(),
  updated_at: instant('updated_at').notNull().defaultNow(),
  updated_by: uuid()
}, t => [
  index('catalog_set_list').on(t.clinic_id, t.search, t.id),
  index('catalog_set_words').using('gin', t.words)
])

export const setItem = pgTable('catalog_set_item', {
  set_id: uuid().notNull(),
  position: integer().notNull(),
  clinic_id: uuid().notNull(),
  treatment_id: uuid().notNull(),
  quantity: integer().notNull()
}, t => [
  primaryKey({ name: 'catalog_set_item_pkey', columns: [t.set_id, t.position] }),
  index('catalog_set_item_treatment').on(t.treatment_id),
  check('catalog_set_item_quantity', sql`quantity between 1 and 999`),
  foreignKey({
    name: 'catalog_set_item_set',
    columns: [t.set_id],
    foreignColumns: [treatmentSet.id]
  }).onDelete('cascade'),
  foreignKey({ name: 'catalog_set_item_of', columns: [t.treatment_id], foreignColumns: [treatment.id] })
])
