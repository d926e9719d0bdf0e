import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createOpenSockets } from '@svc/postgres-sockets/open-sockets.ts'
import { openStream } from '@svc/postgres-sockets/stream.ts'

const server = createServer()
afterEach(() => {
  server.removeAllListeners('connection')
  server.close()
})

test.each([
  ['instead of an answer about TLS', (socket: Socket) => socket.end()],
  ['inside the TLS handshake', (socket: Socket) => socket.end('S')]
])('a connection ends when the server closes %s', async (_, answer) => {
  server.once('connection', socket => socket.once('data', () => answer(socket)))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const host = { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
  const stream = openStream({ hosts: [host], tls: 'prefer', find: null }, createOpenSockets())
  const [error] = await once(stream, 'error').catch((error: unknown) => [error]) as [Error & { code: string }]
  expect(['CONNECTION_CLOSED', 'ECONNRESET']).toContain(error.code)
})

test('while the database is unreachable, the client fails at once and opens no connections', async () => {
  const dialled: Socket[] = []
  server.on('connection', (socket) => {
    dialled.push(socket)
    socket.on('error', () => {}).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const host = { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
  const sockets = createOpenSockets()
  sockets.destroyAll()
  const stream = openStream({ hosts: [host], tls: false, find: null }, sockets)
  const [error] = await once(stream, 'error').catch((error: unknown) => [error]) as [Error & { code: string }]
  expect(error.code).toBe('CONNECTION_CLOSED')
  const later = connect(host).resume()
  await once(later, 'close')
  expect(dialled).toHaveLength(1) // the one of the test
})
