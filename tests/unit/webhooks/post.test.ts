import { createServer } from 'node:http'
import { createServer as createPlainServer, type AddressInfo, type Server } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { post } from '../../../server/core/webhooks/post.ts'

const open: Server[] = []
afterEach(() => open.splice(0).forEach(server => server.close()))

async function portOf(server: Server): Promise<number> {
  open.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()))
  return (server.address() as AddressInfo).port
}
const addresses = [{ address: '127.0.0.1', family: 4 as const }]
const sent = (url: string) => post({ url, addresses, headers: {}, body: '{}', signal: new AbortController().signal })

test('a webhook connects to the checked address without asking a name server, under the name of the URL', async () => {
  let host: string | undefined
  const port = await portOf(createServer((request, response) => {
    host = request.headers.host
    response.end('thanks')
  }))
  expect(await sent(`http://hooks.no-such-host.invalid:${port}/x`)).toEqual({
    status: 200,
    body: 'thanks',
    error: null
  })
  expect(host).toBe(`hooks.no-such-host.invalid:${port}`)
})

test('a webhook uses the name of the URL for TLS, and a failed handshake counts as a missing response', async () => {
  let asked: string | undefined
  const port = await portOf(createTlsServer({
    SNICallback(name, done) {
      asked = name
      done(new Error('no certificate'))
    }
  }))
  expect(await sent(`https://hooks.no-such-host.invalid:${port}/x`)).toMatchObject({
    status: null,
    body: null,
    error: expect.stringMatching(/^no_answer:./)
  })
  expect(asked).toBe('hooks.no-such-host.invalid')
})

test('the status of a response counts even if the receiver interrupts it', async () => {
  const port = await portOf(createServer((_request, response) => {
    response.writeHead(200, { 'content-length': 1000 }).write('half', () => response.destroy())
  }))
  expect(await sent(`http://127.0.0.1:${port}/`)).toEqual({ status: 200, body: 'half', error: null })
})

test.each([
  ['no data', ''],
  ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
  ['invalid HTTP', '220 mail.example ESMTP\r\n'],
  ['endless headers', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}`]
])('a receiver that answers %s causes a failure instead of an endless wait', async (_what, bytes) => {
  const port = await portOf(
    createPlainServer(socket => void socket.on('error', () => {}).once('data', () => socket.end(bytes)))
  )
  expect(await sent(`http://127.0.0.1:${port}/`)).toMatchObject({
    status: null,
    body: null,
    error: expect.stringMatching(/^no_answer:./)
  })
})

test('an abort by our own stop does not count as a failure of the receiver', async () => {
  const port = await portOf(createServer(() => {}))
  const told = AbortSignal.abort(new Error('stopping'))
  await expect(
    post({ url: `http://127.0.0.1:${port}/`, addresses, headers: {}, body: '{}', signal: told })
  ).rejects.toThrow('stopping')
})
