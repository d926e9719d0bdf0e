import { sql } from 'drizzle-orm'
import type { Ctx, Db } from '@svc/kit'

/** A row may be locked by a decision whose commit waits for a standby. */
const LOCKED_FOR = '8s'

/**
 * Transactions whose commit does not wait for a standby, on the connections for reads. `WITHOUT_STANDBY` does the same
 * for a single statement.
 */
export function createLocalTransaction(reads: Db): Ctx['localTransaction'] {
  return run => reads.transaction(async (tx) => {
    await tx.execute(sql`
      select set_config('synchronous_commit', 'local', true), set_config('lock_timeout', ${LOCKED_FOR}, true)`)
    return await run(tx)
  })
}
