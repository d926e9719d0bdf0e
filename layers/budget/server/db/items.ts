import { asc, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { storedDiscount, type StoredDiscount } from '../../shared/domain/discount.ts'
import type { Discount } from '../../shared/domain/pricing.ts'
import { budget, budgetItem } from './schema.ts'

export type ItemRow = typeof budgetItem.$inferSelect
/** In minor units. */
export type ItemPrices = Pick<ItemRow, 'original_price' | 'price' | 'tax'>
/** A line that is not stored yet; with an `id` if it replaces a stored one. */
export type PricedItem
  = Omit<typeof budgetItem.$inferInsert, 'budget_id' | 'clinic_id' | 'position' | keyof StoredDiscount>
    & { discount: Discount | null }

export async function listItems(db: Db | Tx, budget_id: string): Promise<ItemRow[]> {
  return await db.select().from(budgetItem).where(eq(budgetItem.budget_id, budget_id)).orderBy(asc(budgetItem.position))
}

/** The part of a line that the content includes, and that the patient sees. */
export type ContentItem = Pick<
  ItemRow,
  | 'code'
  | 'name'
  | 'description'
  | 'tooth'
  | 'surfaces'
  | 'teeth'
  | 'tooth_surfaces'
  | 'area'
  | 'site'
  | 'note'
  | 'quantity'
  | 'original_price'
  | 'price'
>

/**
 * The part of a line that is sealed when the budget is sent: its content, and the values that events and invoices need.
 */
export type SentItem = ContentItem
  & Pick<
    ItemRow,
    'id' | 'option_id' | 'treatment_id' | 'unit_price' | 'vat' | 'discount_type' | 'discount_value' | 'tax'
  >

/**
 * Lines in order as one value, for `toSentItems`. Without member names, because PostgreSQL takes longer to write those
 * than the values. Money is text, because JSON's numbers are exact only up to 2^53.
 */
const asOneValue = sql`coalesce(json_agg(json_build_array(
  id, treatment_id, code, name, description, tooth, surfaces, note, quantity, vat, discount_type, discount_value::text,
  unit_price::text, original_price::text, price::text, tax::text, option_id, teeth, tooth_surfaces, area, site) order by position), '[]')`

/** The lines as a column of their budget's row, for statements that join other tables. */
export const sentItems = sql`(select ${asOneValue} from ${budgetItem} where budget_id = ${budget.id})`

type Column<Name extends keyof SentItem> = SentItem[Name]
type Values = [
  id: string, treatment_id: string, code: string, name: Column<'name'>, description: Column<'description'>,
  tooth: string | null, surfaces: string | null, note: string | null, quantity: number, vat: number,
  discount_type: Column<'discount_type'>, discount_value: string | null,
  unit_price: string, original_price: string, price: string, tax: string, option_id: string | null,
  teeth: string[] | null, tooth_surfaces: Column<'tooth_surfaces'>, area: Column<'area'>, site: string | null
]

export const toSentItems = (lines: Values[]): SentItem[] => lines.map(([
  id, treatment_id, code, name, description, tooth, surfaces, note, quantity, vat, discount_type, discount_value,
  unit_price, original_price, price, tax, option_id, teeth, tooth_surfaces, area, site
]) => ({
  id, option_id, treatment_id, code, name, description, tooth, surfaces, teeth, tooth_surfaces, area, site, note,
  quantity, vat, discount_type,
  discount_value: discount_value === null ? null : BigInt(discount_value),
  unit_price: BigInt(unit_price),
  original_price: BigInt(original_price),
  price: BigInt(price),
  tax: BigInt(tax)
}))

/**
 * Like `listItems`, for reading: two hundred lines as one value take the process much less time than two hundred rows.
 */
export async function listSentItems(db: Db, budget_id: string): Promise<SentItem[]> {
  const [row] = await db
    .select({ items: asOneValue.mapWith(toSentItems) })
    .from(budgetItem)
    .where(eq(budgetItem.budget_id, budget_id))
  return row!.items
}

interface Owner { id: string, clinic_id: string }

/** In the given order. */
export async function insertItems(tx: Tx, owner: Owner, items: PricedItem[]): Promise<void> {
  if (items.length === 0) return
  await tx
    .insert(budgetItem)
    .values(items.map(({ discount, ...item }, index) => ({
      ...item,
      ...storedDiscount(discount),
      budget_id: owner.id,
      clinic_id: owner.clinic_id,
      position: index + 1
    })))
}

export async function removeItems(tx: Tx, budget_id: string): Promise<void> {
  await tx.delete(budgetItem).where(eq(budgetItem.budget_id, budget_id))
}

export async function updateItemTexts(
  tx: Tx,
  { id, name, description }: Pick<ItemRow, 'id' | 'name' | 'description'>
): Promise<void> {
  await tx.update(budgetItem).set({ name, description }).where(eq(budgetItem.id, id))
}
