import type { Client, Pool, PoolConfig } from 'pg'

export interface JobPool {
  pool: Pool
  /** Ends each connection, whatever it is used for. */
  destroy(): void
}

/** An error on an idle connection that has no listener would end the process. */
export async function openJobPool(config: PoolConfig, max: number, onError: (error: Error) => void): Promise<JobPool> {
  const { default: pg } = await import('pg')
  const pool = new pg.Pool({ ...config, max })
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
