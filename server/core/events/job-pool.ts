import type { Client, Pool, PoolClient, PoolConfig } from 'pg'

export interface JobPool {
  pool: Pool
  /** Ends each connection, whatever it is used for. */
  destroy(): void
}

/**
 * An error on an idle connection without a listener would end the process. If a connection breaks during a stop, the
 * job library releases it twice (docs/upstream/graphile-worker-release.md): the second release does nothing.
 */
export async function openJobPool(config: PoolConfig, max: number, onError: (error: Error) => void): Promise<JobPool> {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({ ...config, max })
  giveBackOnce(pool)
  const clients = new Set<Client>()
  pool.on('error', onError)
  pool.on('connect', (client: Client) => {
    client.on('error', onError)
    clients.add(client)
  })
  pool.on('remove', (client: Client) => clients.delete(client))

  return {
    pool,
    destroy() {
      void pool.end()
      for (const client of clients) void client.end()
    }
  }
}

type Release = PoolClient['release']
/** A pool that has ended passes neither a client nor a release, whatever its types say. */
type Given = (error: Error | undefined, client: PoolClient | undefined, release: Release | undefined) => void

/** Callers of `connect` with a callback get a release that can be called twice. */
function giveBackOnce(pool: Pool): void {
  const connect = pool.connect.bind(pool) as (callback?: Given) => unknown
  pool.connect = ((callback?: Given) =>
    callback
      ? connect((error, client, release) => callback(error, client, release && once(release)))
      : connect()) as Pool['connect']
}

function once(release: Release): Release {
  let isBack = false
  return (fault) => {
    if (isBack) return
    isBack = true
    release(fault)
  }
}
