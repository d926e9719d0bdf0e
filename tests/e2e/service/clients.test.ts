import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aSentBudget, aVerifiedPatient, type SentBudget } from '../../support/builders.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import type { Caller } from '../../support/caller.ts'
import { openWire, parseAnswers, say } from '../../support/wire.ts'

/** Misbehaving clients of the built server with its real limits. */
let built: Built
let budget: SentBudget
let patient: Caller
beforeAll(async () => {
  built = await aBuiltInstance()
  budget = await aSentBudget(built)
  patient = await aVerifiedPatient(built, budget)
})
afterAll(() => built.close())

const isServed = async () => expect((await patient.get(budget.base)).status).toBe(200)

describe('a request that no endpoint ever receives', () => {
  it.each([
    ['invalid data', 'nonsense\r\n\r\n', 400, 'bad_request'],
    ['no Host header', 'GET /livez HTTP/1.1\r\n\r\n', 400, 'bad_request'],
    [
      'large headers',
      `GET /livez HTTP/1.1\r\nHost: x\r\nCookie: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large'
    ],
    [
      'an Expect header',
      'GET /livez HTTP/1.1\r\nHost: x\r\nExpect: more\r\nConnection: close\r\n\r\n',
      417,
      'expectation_failed'
    ],
    ['the CONNECT method', 'CONNECT elsewhere:443 HTTP/1.1\r\nHost: elsewhere:443\r\n\r\n', 405, 'method_not_allowed']
  ])('with %s is answered with a problem document', async (_, bytes, status, code) => {
    const [answer] = await say(built.url, bytes)
    expect([answer!.status, answer!.headers.get('content-type')]).toEqual([status, 'application/problem+json'])
    expect(answer!.body).toMatchObject({ code, status, request_id: answer!.headers.get('x-request-id') })
  })

  it('with a broken body is answered with a problem document too', async () => {
    const head = `POST ${budget.base}/verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
    const answers = await say(built.url, head, 'nonsense\r\n')
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([[400, 'bad_request']])
  })
})

describe('a slow or idle client', () => {
  it('cannot block others with a thousand connections, half of them silent, half idle after a response', async () => {
    const wires = await Promise.all(Array.from({ length: 1000 }, () => openWire(built.url)))
    const halves = wires.filter((_, index) => index % 2 === 0)
    for (const wire of halves) wire.send('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
    await expect.poll(() => halves.every(wire => wire.soFar().includes('HTTP/1.1 200')), { timeout: 30_000 }).toBe(true)
    await isServed()
    for (const { socket } of wires) socket.destroy()
  })

  it('cannot hold database connections with bodies that never end', async () => {
    const cookie = [...patient.cookies].map(([name, { value }]) => `${name.split('@')[0]}=${value}`).join('; ')
    const lines = [
      `POST ${budget.base}/accept HTTP/1.1`,
      'Host: x',
      `Origin: ${built.url}`,
      `Cookie: ${cookie}`,
      'Content-Type: application/json',
      'Content-Length: 2'
    ]
    const wires = await Promise.all(Array.from({ length: 200 }, () => openWire(built.url)))
    for (const wire of wires) wire.send(`${lines.join('\r\n')}\r\n\r\n{`)
    for (let i = 0; i < 5; i++) await isServed()
    for (const wire of wires) wire.send('}')
    await expect.poll(() => wires.every(wire => wire.soFar().includes('HTTP/1.1 422')), { timeout: 30_000 }).toBe(true)
    for (const { socket } of wires) socket.destroy()
  })

  it('is answered with 408 when its headers take too long', async () => {
    const wire = await openWire(built.url)
    wire.send('GET /livez HTTP/1.1\r\nHost: x\r\nA: ')
    expect(parseAnswers(await wire.closed).map(({ status, body }) => [status, body.code])).toEqual([
      [408, 'request_timeout']
    ])
  })
})
