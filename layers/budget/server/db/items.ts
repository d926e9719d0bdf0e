import { asc, eq, sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { budget, budgetItem } from './schema.ts'

export type ItemRow = typeof budgetItem.$inferSelect
/** A line before it belongs to a budget; with an `id` one that was there before. */
export type NewItem = Omit<typeof budgetItem.$inferInsert, 'budget_id' | 'clinic_id' | 'position'>

export async function listItems(db: Db | Tx, budget_id: string): Promise<ItemRow[]> {
  return await db.select().from(budgetItem).where(eq(budgetItem.budget_id, budget_id)).orderBy(asc(budgetItem.position))
}

/** What the content says of a line, and so what the patient sees. */
export type ContentItem = Pick<ItemRow, 'code' | 'name' | 'description' | 'tooth' | 'surfaces' | 'quantity' | 'original_price' | 'price'>

/** What a sending seals of a line: its content, and what events and invoices are made of besides. */
export type SentItem = ContentItem & Pick<ItemRow, 'id' | 'treatment_id' | 'unit_price' | 'vat' | 'discount_type' | 'discount_value' | 'tax'>

/** The lines in order as a column of their budget's row, for `toSentItems`. Money as text: JSON's numbers end at 2^53. */
export const sentItems = sql`(
  select coalesce(json_agg(json_build_object(
    'code', code, 'name', name, 'description', description, 'tooth', tooth, 'surfaces', surfaces, 'quantity', quantity,
    'original_price', original_price::text, 'price', price::text, 'id', id, 'treatment_id', treatment_id, 'unit_price', unit_price::text, 'vat', vat,
    'discount_type', discount_type, 'discount_value', discount_value::text, 'tax', tax::text) order by position), '[]')
  from ${budgetItem} where budget_id = ${budget.id})`

type Money = 'original_price' | 'price' | 'unit_price' | 'tax'
type AsJson = Omit<SentItem, Money | 'discount_value'> & Record<Money, string> & { discount_value: string | null }

export const toSentItems = (items: AsJson[]): SentItem[] => items.map(item => ({
  ...item,
  original_price: BigInt(item.original_price),
  price: BigInt(item.price),
  unit_price: BigInt(item.unit_price),
  tax: BigInt(item.tax),
  discount_value: item.discount_value === null ? null : BigInt(item.discount_value)
}))

/** In the order given. */
export async function insertItems(tx: Tx, owner: { id: string, clinic_id: string }, items: NewItem[]): Promise<void> {
  if (items.length === 0) return
  await tx.insert(budgetItem).values(items.map((item, index) => ({ ...item, budget_id: owner.id, clinic_id: owner.clinic_id, position: index + 1 })))
}

export async function removeItems(tx: Tx, budget_id: string): Promise<void> {
  await tx.delete(budgetItem).where(eq(budgetItem.budget_id, budget_id))
}

export async function updateItemPrices(tx: Tx, id: string, { original_price, price, tax }: Pick<ItemRow, 'original_price' | 'price' | 'tax'>): Promise<void> {
  await tx.update(budgetItem).set({ original_price, price, tax }).where(eq(budgetItem.id, id))
}
