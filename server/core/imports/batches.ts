import { asc, eq } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { coreImportBatch } from '../db/schema.ts'
import type { SeenNames } from './seen-names.ts'

export type Batch = typeof coreImportBatch.$inferInsert

export async function addBatches(tx: Tx, batches: Batch[]): Promise<void> {
  if (batches.length > 0) await tx.insert(coreImportBatch).values(batches)
}

export async function dropBatches(tx: Tx, import_id: string): Promise<void> {
  await tx.delete(coreImportBatch).where(eq(coreImportBatch.import_id, import_id))
}

/** Restores the names of the rows in earlier batches. */
export async function restoreNames(db: Db, import_id: string, seen: SeenNames): Promise<void> {
  const rows = await db
    .select({ names: coreImportBatch.names })
    .from(coreImportBatch)
    .where(eq(coreImportBatch.import_id, import_id))
    .orderBy(asc(coreImportBatch.position))
  for (const { names } of rows) if (names) seen.restore(names)
}
