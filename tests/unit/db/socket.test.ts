import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outliveTransaction } from '@svc/postgres-sockets/socket.ts'

let server: Server
beforeAll(async () => {
  server = createServer(socket => socket.end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())

test('what is written after the server closed its side fails as a broken connection', async () => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const wrapped = outliveTransaction(socket)
  const failed = once(wrapped, 'never').catch((error: unknown) => error) // an error rejects it
  const write = () => wrapped.write(Buffer.from([0x53, 0, 0, 0, 4]))
  // Node has ended our side, and not closed it yet.
  wrapped.on('end', () => process.nextTick(() => process.nextTick(write)))
  wrapped.resume()
  expect(await failed).toMatchObject({ code: 'CONNECTION_CLOSED' })
})
