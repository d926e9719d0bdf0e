import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { Duplex } from 'node:stream'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { outliveTransaction } from '@svc/postgres-sockets/socket.ts'

let server: Server
beforeAll(async () => {
  server = createServer(socket => socket.end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())

test('a write after the server closed its side fails as a broken connection', async () => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const wrapped = outliveTransaction(socket)
  const failed = once(wrapped, 'never').catch((error: unknown) => error) // an error rejects it
  const write = () => wrapped.write(Buffer.from([0x53, 0, 0, 0, 4]))
  // Node has ended our side, but has not closed it yet.
  wrapped.on('end', () => process.nextTick(() => process.nextTick(write)))
  wrapped.resume()
  expect(await failed).toMatchObject({ code: 'CONNECTION_CLOSED' })
})

test('the close waits for a transaction to end, even if a notice follows in the same packet', async () => {
  const socket = outliveTransaction(new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() }))
  const ready = (state: 'I' | 'T') => Buffer.from([0x5A, 0, 0, 0, 5, state.charCodeAt(0)])
  const notice = Buffer.from([0x4E, 0, 0, 0, 5, 0]) // an immediate shutdown sends this notice
  const heard: string[] = []
  socket.on('error', (error: NodeJS.ErrnoException) => heard.push(error.code!))
  socket.on('close', () => heard.push('close'))
  socket.emit('data', ready('I'))
  socket.emit('data', Buffer.concat([ready('T'), notice]))
  socket.emit('close')
  expect(heard).toEqual(['CONNECTION_CLOSED'])

  const rollback = Buffer.from('rollback\0')
  const length = Buffer.alloc(4)
  length.writeUInt32BE(4 + rollback.length)
  vi.useFakeTimers()
  socket.write(Buffer.concat([Buffer.from('Q'), length, rollback]))
  vi.runAllTimers()
  vi.useRealTimers()
  expect(heard.at(-1)).toBe('close')
})
