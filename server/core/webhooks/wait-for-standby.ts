import { sql } from 'drizzle-orm'
import type { Db } from '@svc/kit'

/**
 * Resolves when the standby has everything that was committed before the call; at once without a standby. A failover
 * may lose what `localTransaction` wrote, such as the event of a first view, so that it happens again: nothing about it
 * is sent before. Callers share commits, of which one runs and one follows, so that they use one connection.
 */
export function createReplicated(db: Db): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null

  async function commit(before: Promise<void>): Promise<void> {
    await before.catch(() => {}) // its own callers get the error
    next = null
    running = db.transaction(async (tx) => {
      // Writes something, so that its commit waits.
      await tx.execute(sql`select pg_logical_emit_message(true, 'svc', '')`)
    })
    await running
  }

  return () => next ??= commit(running)
}
