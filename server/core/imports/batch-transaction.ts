import { sql } from 'drizzle-orm'
import type { Tx } from '@svc/kit'
import type { Host } from '../host.ts'
import { lockImports } from './lock.ts'
import type { Run } from './process-batch.ts'

const UNIQUE_VIOLATION = '23505'
const TRIES = 5

/**
 * One transaction, which no other import of the clinic overlaps. What the staff add at the same moment can take a code
 * that was free: then all is looked at again.
 */
export async function inBatch<T>(host: Host, { clinic_id, seen }: Run, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await host.db.transaction(async (tx) => {
        await lockImports(tx, clinic_id)
        // A plan that is made while a table is small, and kept, must not read all of it for each row once it is large.
        await tx.execute(sql`select set_config('enable_seqscan', 'off', true)`)
        return await work(tx)
      })
    } catch (error) {
      seen.forgetNew()
      if (tries === TRIES || !isTaken(error)) throw error
    }
  }
}

/** Drizzle wraps what the database says. */
const isTaken = (error: unknown) =>
  [error, (error as { cause?: unknown }).cause].some(
    thrown => (thrown as { code?: unknown } | undefined)?.code === UNIQUE_VIOLATION
  )
