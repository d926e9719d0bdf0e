import { sql } from 'drizzle-orm'
import type { Ctx, Db } from '@svc/kit'

/** A row can be locked by a decision whose commit waits for a standby. */
const LOCKED_FOR = '8s'

/**
 * Transactions whose commit waits for no standby, on the connections of reads. `WITHOUT_STANDBY` does the same for a
 * statement that runs alone.
 */
export function createLocalTransaction(reads: Db): Ctx['localTransaction'] {
  return run => reads.transaction(async (tx) => {
    await tx.execute(sql`
      select set_config('synchronous_commit', 'local', true), set_config('lock_timeout', ${LOCKED_FOR}, true)`)
    return await run(tx)
  })
}
