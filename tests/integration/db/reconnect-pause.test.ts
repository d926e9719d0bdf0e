import { createServer } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { expect, inject, test } from 'vitest'
import { openConnection } from '../../../server/core/db/connection.ts'
import { aTcpProxy } from '../../support/database/tcp-proxy.ts'
import { root } from '../../support/modules/official.ts'

test('a listener whose database is gone reconnects a few times a second, not without a pause', async () => {
  const url = new URL(inject('databases').admin)
  const folder = url.searchParams.get('host')
  const port = url.searchParams.get('port') ?? (url.port || '5432')
  const proxy = await aTcpProxy(folder ? { path: `${folder}/.s.PGSQL.${port}` } : { host: url.hostname, port: Number(port) })
  const login = url.username ? `${url.username}:${url.password}@` : 'postgres@'
  const database_url = `postgres://${login}127.0.0.1:${proxy.port}${url.pathname}`
  const connection = await openConnection({ database_url, storage: tmpdir(), root })
  await connection.sql.listen('gone', () => {})
  let tries = 0
  const refuser = createServer((socket) => {
    tries += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(refuser, 'listening')
  const began = performance.now()
  proxy.leadTo({ host: '127.0.0.1', port: (refuser.address() as { port: number }).port })
  proxy.disconnect()
  await expect.poll(() => tries, { interval: 20, timeout: 10_000 }).toBeGreaterThan(4)
  expect(tries / (performance.now() - began) * 1000).toBeLessThan(20)
  connection.sockets.destroyAll()
  await connection.close()
  await proxy.close()
  refuser.close()
})
