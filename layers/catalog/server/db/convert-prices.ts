import { sql } from 'drizzle-orm'
import type { Tx } from '@svc/kit'
import { treatment } from './schema.ts'

interface Conversion { clinic_id: string, to_include_tax: boolean }

const WHOLE = 10_000n // 100 % in hundredths of a percent

/**
 * Every price of a clinic from without tax to with tax, or back; returns how many changed. Half-up in whole numbers, as
 * `convertPrice` of the kit: a quotient with decimals could already be rounded up to the half. A price that a person
 * typed is kept beside the converted one, and is the price again after the way back, unless it was edited meanwhile.
 */
export async function convertPrices(tx: Tx, { clinic_id, to_include_tax }: Conversion): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCK}, hashtext(${clinic_id}))`)
  const part = sql`(${WHOLE}::numeric + vat)`
  const [numerator, denominator] = to_include_tax ? [part, sql`${WHOLE}::numeric`] : [sql`${WHOLE}::numeric`, part]
  const converted = sql`coalesce(typed_price, div(unit_price * 2 * ${numerator} + ${denominator}, 2 * ${denominator})::bigint)`
  const typed = sql`case when typed_price is null then unit_price end`
  const changed = await tx
    .update(treatment)
    .set({ unit_price: converted, typed_price: typed, version: sql`version + 1`, updated_at: sql`now()` })
    .where(sql`clinic_id = ${clinic_id}::uuid and ${converted} <> unit_price`)
  return changed.count
}

/** One half of an advisory lock: "cat"; the clinic is the other. */
const LOCK = 0x636174

/**
 * Until the end of the transaction prices stay in the mode that the clinic's setting has from here on: no conversion
 * overtakes a price that is being written.
 */
export async function holdPriceMode(tx: Tx, clinic_id: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock_shared(${LOCK}, hashtext(${clinic_id}))`)
}
