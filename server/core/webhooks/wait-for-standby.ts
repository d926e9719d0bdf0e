import { sql } from 'drizzle-orm'
import type { Db } from '@svc/kit'

/**
 * Resolves when the standby has all that was committed before the call, at once without one. What `localTransaction`
 * wrote, such as the event of a first view, may be lost by a failover and happen again: nothing of it leaves before.
 * Of any number that wait one commit is under way and one follows, so that they hold one connection.
 */
export function createReplicated(db: Db): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null

  async function commit(before: Promise<void>): Promise<void> {
    await before.catch(() => {}) // its own callers got the error
    next = null
    running = db.transaction(async (tx) => {
      await tx.execute(sql`select pg_logical_emit_message(true, 'svc', '')`) // writes, so that its commit waits
    })
    await running
  }

  return () => next ??= commit(running)
}
