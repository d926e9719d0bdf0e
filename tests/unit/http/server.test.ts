import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createApp, createError, setResponseStatus, toNodeListener } from 'h3'
import { originOf, refusedConnections } from '../../../server/core/http/connections.ts'
import {
  BOUNDS,
  createHttpServer,
  serverOptions,
  type Bounds,
  type ServerOptions
} from '../../../server/core/http/server.ts'
import { openWire, parseAnswers, say, type WireAnswer } from '../../support/wire.ts'

type Listener = (request: IncomingMessage, response: ServerResponse) => void
let server: Server
const closing: (() => Promise<unknown>)[] = []
afterEach(() => Promise.all(closing.splice(0).map(close => close())))

async function serve(
  listener: Listener = (_, response) => response.end('fine'),
  bounds: Partial<Bounds> = {},
  options: Partial<ServerOptions> = {}
): Promise<string> {
  const made = createHttpServer(listener, { bounds: { ...BOUNDS, ...bounds }, ...options }).server
  server = made
  made.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(
    () =>
      new Promise((resolve) => {
        made.close(resolve)
        made.closeAllConnections()
      })
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const LAST = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
const head = (...lines: string[]) => `${['POST / HTTP/1.1', 'Host: x', ...lines].join('\r\n')}\r\n\r\n`

function expectDocument({ status, headers, body, text }: WireAnswer, expected: number, code: string) {
  expect([
    status,
    headers.get('content-type'),
    headers.get('connection'),
    headers.get('x-content-type-options')
  ]).toEqual([expected, 'application/problem+json', 'close', 'nosniff'])
  expect(body).toEqual({
    type: `urn:svc:problem:${code}`,
    title: expect.any(String),
    status: expected,
    detail: expect.any(String),
    code,
    request_id: headers.get('x-request-id')
  })
  expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
  expect(text).not.toMatch(/HPE|Parse|node/i)
}

describe('an invalid or unusual request', () => {
  it.each([
    ['an invalid request line', 'nonsense\r\n\r\n', 400, 'bad_request'],
    ['an unknown HTTP version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n', 400, 'bad_request'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n', 400, 'bad_request'],
    ['NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n', 400, 'bad_request'],
    ['an unknown method', 'NONSENSE / HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'bad_request'],
    ['both a length and chunks', head('Content-Length: 3', 'Transfer-Encoding: chunked'), 400, 'bad_request'],
    ['two lengths', head('Content-Length: 3', 'Content-Length: 4'), 400, 'bad_request'],
    ['a negative length', head('Content-Length: -1'), 400, 'bad_request'],
    ['no Host header', 'GET / HTTP/1.1\r\n\r\n', 400, 'bad_request'],
    ['two Host headers', 'GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 400, 'bad_request'],
    ['the same Host header twice', 'GET / HTTP/1.1\r\nHost: x\r\nA: b\r\nHOST: x\r\n\r\n', 400, 'bad_request'],
    ['two Host headers in HTTP/1.0', 'GET / HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n', 400, 'bad_request'],
    ['an invalid host', 'GET / HTTP/1.1\r\nHost: x y\r\n\r\n', 400, 'bad_request'],
    ['a host with a user name', 'GET / HTTP/1.1\r\nHost: x@y\r\n\r\n', 400, 'bad_request'],
    ['the start of TLS', Buffer.from('16030100c8010000c40303', 'hex'), 400, 'bad_request'],
    ['headers of 20 kB', head(`Cookie: ${'a'.repeat(20_000)}`), 431, 'headers_too_large'],
    ['a URL of 20 kB', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, 'headers_too_large'],
    ['an Expect header', head('Expect: 200-ok', 'Connection: close'), 417, 'expectation_failed'],
    [
      'a CONNECT request',
      'CONNECT elsewhere:443 HTTP/1.1\r\nHost: elsewhere:443\r\n\r\n',
      405,
      'method_not_allowed'
    ]
  ])('with %s is answered with a problem document', async (_, bytes, status, code) => {
    const listener = vi.fn<Listener>()
    const answers = await say(await serve(listener), bytes)
    expect(answers).toHaveLength(1)
    expectDocument(answers[0]!, status, code)
    expect(listener).not.toHaveBeenCalled()
  })

  it('to switch to another protocol is answered without the switch, as HTTP allows', async () => {
    const wire = await openWire(await serve())
    wire.send('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n')
    await expect.poll(() => wire.soFar()).toContain('fine')
    wire.send(LAST)
    expect(parseAnswers(await wire.closed).map(({ status, text }) => [status, text])).toEqual([
      [200, 'fine'],
      [200, 'fine']
    ])
  })

  it('with an interrupted body gets exactly one error', async () => {
    const url = await serve((request, response) => request.resume().on('close', () => {
      if (!response.writableEnded) response.end('never')
    }))
    const answers = await say(url, head('Transfer-Encoding: chunked'), 'nonsense\r\n')
    expect(answers).toHaveLength(1)
    expectDocument(answers[0]!, 400, 'bad_request')
  })
})

describe('a response in progress', () => {
  it('is completed before an invalid request after it is refused', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<unknown>()
    const url = await serve((_, response) => void gate.then(() => response.end('whole')))
    const unread = once(server, 'clientError')
    const wire = await openWire(url)
    wire.send(GET)
    wire.send('nonsense\r\n\r\n')
    wire.send('more\r\n\r\n')
    await unread
    expect(wire.soFar()).toBe('')
    open(null)
    const [first, second, ...more] = parseAnswers(await wire.closed)
    expect([first!.status, first!.text]).toEqual([200, 'whole'])
    expectDocument(second!, 400, 'bad_request')
    expect(more).toEqual([])
  })

  it('is not interrupted by the broken body of its own request', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<unknown>()
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-length': 9 }).write('half')
      void gate.then(() => response.end(' and'.padEnd(5)))
    })
    const wire = await openWire(url)
    wire.send(head('Transfer-Encoding: chunked'))
    await expect.poll(() => wire.soFar()).toContain('half')
    const unread = once(server, 'clientError')
    wire.send('nonsense\r\n')
    await unread
    open(null)
    expect(parseAnswers(await wire.closed).map(({ status, text }) => [status, text])).toEqual([[200, 'half and ']])
  })
})

describe('a slow client', () => {
  const short = { head_ms: 200, body_ms: 400 }

  it('with a late head gets a timeout error about the head', async () => {
    const url = await serve(undefined, short)
    for (const start of ['', 'GET / HT', 'GET / HTTP/1.1\r\nHost: x\r\nA: '])
      expectDocument((await say(url, start))[0]!, 408, 'request_timeout')
  })

  it('with a late body gets a timeout error about the body', async () => {
    const [answer] = await say(await serve(request => request.resume(), short), head('Content-Length: 10'), 'half')
    expectDocument(answer!, 408, 'request_timeout')
  })

  it('with a body after its response gets no second response', async () => {
    const answers = await say(
      await serve((_, response) => response.end('no'), { head_ms: 2000, body_ms: 2000 }),
      head('Content-Length: 10'),
      'half'
    )
    expect(answers.map(({ status, text }) => [status, text])).toEqual([[200, 'no']])
  })

  it('that stops reading is disconnected', async () => {
    const file = Buffer.alloc(30_000_000, 'x')
    const { promise: cut, resolve } = Promise.withResolvers<unknown>()
    const wire = await openWire(
      await serve((_, response) => response.on('close', () => resolve(null)).end(file), { stalled_ms: 2000 })
    )
    wire.socket.pause()
    wire.send(GET)
    await cut
    wire.socket.resume()
    expect((await wire.closed).length).toBeLessThan(file.length)
  })
})

describe('a CONNECT request after an unread response', () => {
  it('ends the connection, which Node would keep open forever', async () => {
    const wire = await openWire(await serve((_, response) => response.end(Buffer.alloc(30_000_000, 'x'))))
    wire.socket.pause()
    wire.send(`${GET}CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n`)
    await expect
      .poll(async () => await new Promise<number>(resolve => server.getConnections((_, count) => resolve(count))))
      .toBe(0)
    wire.socket.destroy()
  })
})

describe('a server with too many connections', () => {
  it('completes responses in progress', async () => {
    const file = Buffer.alloc(30_000_000, 'x')
    const url = await serve(({ url: path }, response) => response.end(path === '/file' ? file : 'fine'), {
      connections: 2
    })
    const [slow, idle] = [await openWire(url), await openWire(url)]
    const begun = once(slow.socket, 'data').then(() => slow.socket.pause()) // at once: all of it would fit in a moment
    slow.send('GET /file HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    await begun
    expect(slow.soFar()).toContain('HTTP/1.1 200')
    idle.send(GET)
    await expect.poll(() => idle.soFar()).toContain('fine')
    await say(url, LAST) // refused
    await idle.closed
    slow.socket.resume()
    expect(parseAnswers(await slow.closed)[0]!.text.length).toBe(file.length)
  })

  it('closes idle connections', async () => {
    const url = await serve(undefined, { connections: 3 })
    const idle = await Promise.all(Array.from({ length: 3 }, () => openWire(url)))
    for (const wire of idle) {
      wire.send(GET)
      await expect.poll(() => wire.soFar()).toContain('fine')
    }
    await say(url, LAST) // refused
    await expect.poll(async () => (await say(url, LAST))[0]?.text).toBe('fine')
  })
})

describe('a client address', () => {
  const each = (remote?: string) => ({ key: remote ?? '', is_shared: false })
  const answerFrom = async (url: string, address: string) => {
    const wire = await openWire(url, address)
    wire.send(LAST)
    return await wire.closed
  }

  it('can hold its share of the connections and no more, while other addresses connect', async () => {
    const url = await serve(undefined, { connections_per_address: 2 }, { originOf: each })
    const before = refusedConnections()
    const held = [await openWire(url, '127.0.0.1'), await openWire(url, '127.0.0.1')]
    expect(await answerFrom(url, '127.0.0.1')).toBe('')
    expect(refusedConnections() - before).toBe(1)
    expect(await answerFrom(url, '127.0.0.2')).toContain('fine')
    held[0]!.send(LAST)
    await held[0]!.closed
    await expect.poll(() => answerFrom(url, '127.0.0.1')).toContain('fine')
  })

  it('is answered while another one floods the server with unfinished requests', async () => {
    const url = await serve(undefined, { connections: 50, connections_per_address: 5 })
    const { port } = new URL(url)
    const flood = Array.from({ length: 500 }, () => {
      const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: '127.0.0.9' })
      socket.on('error', () => {}).write('GET / HTTP/1.1\r\nHost: x\r\n')
      return socket
    })
    const answers = await Promise.all(Array.from({ length: 10 }, () => answerFrom(url, '127.0.0.2')))
    expect(answers.filter(answer => !answer.includes('fine'))).toEqual([])
    for (const socket of flood) socket.destroy()
  })

  it('that is shared leaves a tenth of the connections to others', async () => {
    const url = await serve(undefined, { connections: 10 })
    const held = await Promise.all(Array.from({ length: 9 }, () => openWire(url, '127.0.0.1')))
    for (const wire of held) wire.send('GET / HT')
    expect(await answerFrom(url, '127.0.0.1')).toBe('')
    expect(await answerFrom(url, '127.0.0.2')).toContain('fine')
  })

  it('behind trusted proxies is that of the proxy and counts as shared', () => {
    const originOf = (trusted_proxies: number) =>
      serverOptions({ base_url: 'http://localhost', trusted_proxies }).originOf!
    expect([originOf(0)('192.0.2.7'), originOf(1)('192.0.2.7')]).toEqual([
      { key: '192.0.2.7', is_shared: false },
      { key: '192.0.2.7', is_shared: true }
    ])
  })

  it('is counted as for rate limits, and that of programs on this machine counts as shared', () => {
    const keys = ['::ffff:192.0.2.7', '2001:db8:1:2:3::4', '127.8.0.1'].map(originOf)
    expect(keys.map(({ key }) => key)).toEqual(['192.0.2.7', '2001:db8:1:2::/64', '127.8.0.1'])
    const shared = ['127.0.0.1', '::1', '::ffff:127.0.0.1', '127.8.0.1', '192.0.2.7'].map(originOf)
    expect(shared.map(({ is_shared }) => is_shared)).toEqual([true, true, true, false, false])
  })

  it('has a share that leaves room for nine others', () =>
    expect(BOUNDS.connections_per_address * 10).toBeLessThanOrEqual(BOUNDS.connections))
})

describe('every response', () => {
  const secure = serverOptions({ base_url: 'https://budgets.clinic.example', trusted_proxies: 1 })

  it.each([
    ['an ordinary request', LAST],
    ['a request that cannot be read', 'nonsense\r\n\r\n'],
    ['a request with an Expect header', head('Expect: 200-ok', 'Connection: close')],
    ['a request without a Host header', 'GET / HTTP/1.1\r\n\r\n']
  ])('to %s has an HSTS header for a year when the base URL has https', async (_, bytes) => {
    const [answer] = await say(await serve(undefined, {}, secure), bytes)
    expect(answer!.headers.get('strict-transport-security')).toBe('max-age=31536000')
  })

  it('has no HSTS header when the base URL has no https', async () => {
    const [answer] = await say(
      await serve(undefined, {}, serverOptions({ base_url: 'http://localhost:3000', trusted_proxies: 0 })),
      LAST
    )
    expect(answer!.headers.has('strict-transport-security')).toBe(false)
  })

  const app = createApp({ onError: (error, event) => setResponseStatus(event, error.statusCode, error.statusMessage) })
  app.use('/thrown', () => { throw createError({ statusCode: 404, statusMessage: 'Page not found: /p/budget/token' }) })
  app.use('/set', (event) => {
    setResponseStatus(event, 410, 'Gone: /p/budget/token')
    return 'gone'
  })
  it.each([
    ['/nowhere/token', 'HTTP/1.1 404 Not Found'],
    ['/thrown', 'HTTP/1.1 404 Not Found'],
    ['/set', 'HTTP/1.1 410 Gone']
  ])('to %s has only the reason phrase of its status', async (path, line) => {
    const wire = await openWire(await serve(toNodeListener(app)))
    wire.send(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    expect((await wire.closed).split('\r\n')[0]).toBe(line)
  })
})
