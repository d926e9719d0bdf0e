import type { Sql } from 'postgres'
import { probeDatabaseSpace } from '../db/probe-space.ts'
import { probeStore } from '../files/probe-store.ts'
import type { Host } from '../host.ts'
import type { Trouble } from '../types.ts'

const EVERY_MS = 3000

/**
 * Uses resources that may be full, read-only or unreachable, at most every three seconds, and notes the results. Never
 * rejects; a use that hangs stays pending.
 */
export function createProbes({ config, files, troubles, log }: Host, sql: Sql): () => Promise<unknown> {
  const tries = [
    createProbe(troubles.documents, () => probeStore(config, files), error =>
      log.warn('health.check_failed', { check: 'documents', error })
    ),
    createProbe(troubles.database, () => probeDatabaseSpace(sql), error =>
      log.warn('health.check_failed', { check: 'database', error })
    )
  ]
  return () => Promise.all(tries.map(one => one()))
}

/** One at a time: in a folder that hangs, each use blocks a thread of this process. */
function createProbe(trouble: Trouble, use: () => Promise<void>, onFirstFailure: (error: unknown) => void) {
  let last = -Infinity
  let running: Promise<void> | null = null

  async function run() {
    try {
      await trouble.watch(use())
      trouble.clearUnlessRecent()
    } catch (error) {
      if (trouble.seconds() === 0) onFirstFailure(error)
      trouble.note()
    }
    running = null
  }

  return async () => {
    if (!running && performance.now() - last > EVERY_MS) {
      last = performance.now()
      running = run()
    }
    await running
  }
}
