import type { Sql } from 'postgres'
import type { Database } from './client.ts'

export interface Listening {
  /** Of the connection. `ensure` looks for it among the server's connections. */
  name: string
  channel: string
  onNotice: (text: string) => void
  /** How long `ensure` trusts an answer of the server. */
  ask_every_ms: number
}

export interface Listener {
  /** Listens, on a new connection if the former one is lost. */
  ensure (): Promise<void>
  stop (): Promise<void>
}

/**
 * Receives the notices of a channel on a connection of its own. The driver listens again after a lost connection, but
 * stops trying while the database stays unreachable. So its owner calls `ensure` regularly, which queries the server
 * through `own` whether the connection still exists.
 */
export function createListener(
  database: Database,
  own: Sql,
  { name, channel, onNotice, ask_every_ms }: Listening
): Listener {
  let client: Sql | null = null
  let asked_at = -Infinity

  async function isThere(): Promise<boolean> {
    if (!client) return false
    if (performance.now() - asked_at < ask_every_ms) return true
    const found = await own`
      select from pg_stat_activity where application_name = ${`svc:${name}`} and datname = current_database()`
    asked_at = performance.now()
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
        await next.listen(channel, onNotice)
      } catch (error) {
        await next.end({ timeout: 0 })
        throw error
      }
      client = next
    },
    stop
  }
}
