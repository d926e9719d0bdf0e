import { asc, eq } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { budgetItem } from './schema.ts'

export type ItemRow = typeof budgetItem.$inferSelect
/** A line before it belongs to a budget. */
export type NewItem = Omit<typeof budgetItem.$inferInsert, 'id' | 'budget_id' | 'clinic_id' | 'position'>

export async function listItems(db: Db | Tx, budget_id: string): Promise<ItemRow[]> {
  return await db.select().from(budgetItem).where(eq(budgetItem.budget_id, budget_id)).orderBy(asc(budgetItem.position))
}

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
