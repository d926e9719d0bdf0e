import { eq } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { budgetSignature } from './schema.ts'

export type SignatureRow = typeof budgetSignature.$inferSelect
export type NewSignature = typeof budgetSignature.$inferInsert

export async function insertSignature(tx: Tx, signature: NewSignature): Promise<void> {
  await tx.insert(budgetSignature).values(signature)
}

export async function findSignature(db: Db | Tx, budget_id: string): Promise<SignatureRow | null> {
  const [row] = await db.select().from(budgetSignature).where(eq(budgetSignature.budget_id, budget_id))
  return row ?? null
}
