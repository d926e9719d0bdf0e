import { randomUUID } from 'node:crypto'
import type { Sql } from 'postgres'
import type { Database } from '../db/client.ts'
import { CHANNEL } from '../db/notices.ts'

const ASK_MS = 60_000

export interface Listener {
  /** Listens, on a new connection where the one before is gone. */
  ensure(): Promise<void>
  stop(): Promise<void>
}

/**
 * One connection of its own that hears the notices. The driver listens again after a lost connection, but gives up when
 * the database stays away; so its owner calls `ensure` at each look, which asks the server once a minute whether it is
 * there.
 */
export function createListener(database: Database, own: Sql, onNotice: (text: string) => void): Listener {
  const name = `work:${randomUUID()}`
  let client: Sql | null = null

  let askedAt = -Infinity

  async function isThere(): Promise<boolean> {
    if (!client) return false
    if (performance.now() - askedAt < ASK_MS) return true
    const found = await own`
      select from pg_stat_activity where application_name = ${`svc:${name}`} and datname = current_database()`
    askedAt = performance.now()
    return found.length > 0
  }

  async function stop() {
    const former = client
    client = null
    await former?.end({ timeout: 0 })
  }

  return {
    async ensure() {
      if (await isThere()) return
      await stop()
      const next = database.connect({ max: 1, name })
      try {
        await next.listen(CHANNEL, onNotice)
      } catch (error) {
        await next.end({ timeout: 0 })
        throw error
      }
      client = next
    },
    stop
  }
}
