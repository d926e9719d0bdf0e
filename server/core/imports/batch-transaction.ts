import { sql } from 'drizzle-orm'
import type { Tx } from '@svc/kit'
import type { Host } from '../host.ts'
import { lockImports } from './lock.ts'
import type { Run } from './process-batch.ts'

const UNIQUE_VIOLATION = '23505'
const MAX_ATTEMPTS = 5

/**
 * Runs one batch in a transaction that no other import of the clinic overlaps. If the staff take a code at the same
 * moment that the batch has found free, the whole batch is matched again.
 */
export async function inBatch<T>(host: Host, { clinic_id, seen }: Run, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await host.db.transaction(async (tx) => {
        await lockImports(tx, clinic_id)
        // PostgreSQL may keep a plan that it made while a table was small. That plan must not scan the whole table for
        // each row once the table is large.
        await tx.execute(sql`select set_config('enable_seqscan', 'off', true)`)
        return await work(tx)
      })
    } catch (error) {
      seen.forgetNew()
      if (tries === MAX_ATTEMPTS || !isTaken(error)) throw error
    }
  }
}

/** Drizzle wraps the database's error. */
const isTaken = (error: unknown) =>
  [error, (error as { cause?: unknown }).cause].some(
    thrown => (thrown as { code?: unknown } | undefined)?.code === UNIQUE_VIOLATION
  )
