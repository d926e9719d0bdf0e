import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, type Database } from './client.ts'
import type { DatabaseSettings } from './connection.ts'
import { DatabaseError } from './database-error.ts'

const EVERY_MS = 1000
/** As many connections as for reads. */
const COMMITS = 10

interface Waiting { signal: AbortSignal, onWait: (reason: string) => void }

/**
 * If the start meets a standby, it waits until that is promoted, even if the promotion restarts it. Throws
 * DatabaseError for any other error.
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
