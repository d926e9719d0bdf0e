import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, type Database } from './client.ts'
import type { DatabaseSettings } from './connection.ts'
import { DatabaseError } from './database-error.ts'

const EVERY_MS = 1000
/** As many as for reads. */
const COMMITS = 10

interface Waiting { signal: AbortSignal, onWait: (reason: string) => void }

/**
 * A start that meets a standby waits until it is promoted, also while that restarts it. Throws DatabaseError for
 * anything else.
 */
export async function openWhenWritable(config: DatabaseSettings, { signal, onWait }: Waiting): Promise<Database> {
  let said: string | null = null
  for (;;) {
    signal.throwIfAborted()
    try {
      return await openDatabase(config, { writable: true, commits: COMMITS })
    } catch (error) {
      if (!(error instanceof DatabaseError) || (said === null && error.code !== 'database_read_only')) throw error
      if (error.message !== said) {
        said = error.message
        onWait(`waiting until the database accepts writes (${said})`)
      }
    }
    await sleep(EVERY_MS, undefined, { signal })
  }
}
