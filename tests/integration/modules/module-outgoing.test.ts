import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Ctx } from '@svc/kit'
import { forbidCalls } from '../../../server/core/db/guarded/outgoing-calls.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { writeModule } from '../../support/modules/modules.ts'
import { schedule } from '../../support/modules/packages.ts'

interface ReceivedRequest { method: string, path: string, headers: IncomingMessage['headers'], body: string }

/** Another service, on loopback. */
interface Service {
  url: string
  asked: ReceivedRequest[]
  answers: Record<string, (response: ServerResponse, asked: ReceivedRequest) => void>
  server: Server
}

async function aService(): Promise<Service> {
  const asked: ReceivedRequest[] = []
  const answers: Service['answers'] = {}
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request
    const call = { method: method!, path: url!, headers, body: await text(request) }
    asked.push(call)
    answers[call.path]?.(response, call)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, answers, server }
}

const HOSTS = ['127.0.0.1', '10.0.0.1', '[::1]', 'no-such-host.invalid', 'localhost']

async function anInstanceWithCaller(env: Record<string, string>): Promise<Instance> {
  const instance = await anInstance({ env })
  const folder = join(instance.storage, 'modules/node_modules/svc-module-caller')
  writeModule(folder, 'caller', {
    svc: { outgoing: HOSTS },
    endpoints: {
      'public/caller/call.post.js': `{
        access: 'none',
        summary: 'Call an address.',
        body: { safeParse: data => ({ success: true, data }) },
        response: { safeParse: data => ({ success: true, data }) },
        handle: async ({ body: { url } }, ctx) => ({ status: (await ctx.http.fetch(url)).status })
      }`
    }
  })
  writeModule(join(instance.storage, 'modules/node_modules/svc-module-settled'), 'settled', {
    svc: { outgoing: 'settings' },
    code: `export default {
      settings: {
        schema: { safeParse: data => ({ success: true, data }) },
        defaults: { host: 'default.invalid', other: ['http://default.invalid/x'], secret_url: null },
        secrets: ['secret_url']
      }
    }`
  })
  for (const name of ['caller', 'settled']) await schedule(instance, 'install', name)
  await instance.restart()
  return instance
}
const ctxOf = (instance: Instance): Ctx => instance.runtime.host.registry.get('caller')!.ctx
/** The code and reason of a refusal. */
const refusal = (call: Promise<unknown>): Promise<unknown> => call.then(
  () => { throw new Error('it was not refused') },
  (error: { code?: string, fields?: { reason: string } }) => [error.code, error.fields?.reason]
)

const written: string[] = []
const logged = () => written.filter(line => line.startsWith('{')).map(line => JSON.parse(line))

describe('an outgoing call of a module', () => {
  let instance: Instance
  let service: Service
  let http: Ctx['http']
  beforeAll(async () => {
    vi.spyOn(process.stderr, 'write').mockImplementation((chunk: unknown) => {
      written.push(String(chunk))
      return true
    })
    service = await aService()
    instance = await anInstanceWithCaller({
      SVC_WEBHOOK_ALLOW_PRIVATE: 'true', LOG_LEVEL: 'debug', NODE_ENV: 'production'
    })
    http = ctxOf(instance).http
  })
  beforeEach(() => {
    written.length = 0
    service.asked.length = 0
  })
  afterAll(async () => {
    vi.restoreAllMocks()
    service.server.close().closeAllConnections()
    await instance.close()
  })

  test('sends method, headers and body, and returns status, headers and bytes', async () => {
    service.answers['/payments?key=s3cret'] = response =>
      response.writeHead(402, { 'X-Reason': ['a', 'b'], 'content-type': 'application/json' }).end('{"paid":false}')
    const answer = await http.fetch(`${service.url}/payments?key=s3cret`, {
      method: 'POST', headers: { Authorization: 'Bearer k3y' }, body: '{"amount":"5.00"}'
    })
    expect(answer).toMatchObject({ status: 402, headers: { 'x-reason': 'a, b', 'content-type': 'application/json' } })
    expect(Buffer.from(answer.bytes).toString()).toBe('{"paid":false}')
    expect(service.asked).toEqual([{
      method: 'POST',
      path: '/payments?key=s3cret',
      headers: {
        'authorization': 'Bearer k3y',
        'user-agent': expect.stringMatching(/^dental-budget-service\//),
        'accept-encoding': 'identity',
        'content-length': '17',
        'host': new URL(service.url).host,
        'connection': 'close'
      },
      body: '{"amount":"5.00"}'
    }])
  })

  test('is logged with host and outcome, but never with its path or headers', async () => {
    service.answers['/s3cret'] = response => response.end('fine')
    await http.fetch(`${service.url}/s3cret`, { headers: { 'x-key': 'k3y' } })
    const about = { module: 'caller', host: '127.0.0.1', method: 'GET', ms: expect.any(Number) }
    expect(logged()).toEqual([expect.objectContaining({ event: 'outgoing.call', level: 'debug', status: 200, ...about })])
    await refusal(http.fetch('http://localhost:1/s3cret'))
    expect(logged().at(-1)).toMatchObject({ event: 'outgoing.failed', level: 'warn', ...about, host: 'localhost' })
    expect(written.join('')).not.toMatch(/s3cret|k3y/)
  })

  test('is counted by outcome', async () => {
    service.answers['/missing'] = response => response.writeHead(404).end()
    await http.fetch(`${service.url}/missing`)
    const metrics = (await (await instance.asInstanceAdmin()).get('/metrics')).bytes.toString()
    expect(metrics).toMatch(/^svc_outgoing_call_seconds_count\{module="caller",outcome="4xx"\} [1-9]/m)
  })

  test('follows redirects to the same origin, and no others', async () => {
    const to = (location: string) => (response: ServerResponse) => response.writeHead(302, { location }).end()
    Object.assign(service.answers, {
      '/old': to('/new'),
      '/new': (response: ServerResponse) => response.end('here'),
      '/away': to(service.url.replace('127.0.0.1', 'localhost')),
      '/round': to('/round')
    })
    expect(Buffer.from((await http.fetch(`${service.url}/old`)).bytes).toString()).toBe('here')
    expect(await refusal(http.fetch(`${service.url}/away`))).toEqual(['outgoing_failed', 'redirected'])
    expect(await refusal(http.fetch(`${service.url}/round`))).toEqual(['outgoing_failed', 'redirected'])
    expect(service.asked.map(({ path }) => path)).toEqual(['/old', '/new', '/away', '/round', '/round', '/round', '/round'])
  })

  test('ends at the first byte above the limit, regardless of the announced length', async () => {
    Object.assign(service.answers, {
      '/long': (response: ServerResponse) => response.end(Buffer.alloc(1001)),
      '/endless': (response: ServerResponse) => {
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(100_000)));
          response.once('drain', more)
        }
        more()
      }
    })
    const bytes = async (max_bytes: number) =>
      (await http.fetch(`${service.url}/long`, { max_bytes })).bytes.length
    expect(await bytes(1001)).toBe(1001)
    expect(await refusal(bytes(1000))).toEqual(['outgoing_failed', 'too_large'])
    expect(await refusal(http.fetch(`${service.url}/endless`))).toEqual(['outgoing_failed', 'too_large'])
  })

  test('ends at its time limit, even if a part of the response arrived', async () => {
    Object.assign(service.answers, {
      '/silent': () => {},
      '/half': (response: ServerResponse) => response.writeHead(200, { 'content-length': 100 }).write('half')
    })
    for (const path of ['/silent', '/half'])
      expect(await refusal(http.fetch(service.url + path, { timeout_ms: 50 }))).toEqual(['outgoing_failed', 'timeout'])
  })

  test('fails if the name or the server is not found, or the response is incomplete', async () => {
    service.answers['/broken'] = response =>
      response.writeHead(200, { 'content-length': 100 }).write('half', () => response.destroy())
    expect(await refusal(http.fetch('http://no-such-host.invalid/'))).toEqual(['outgoing_failed', 'unresolved'])
    expect(await refusal(http.fetch(`${service.url}/broken`))).toEqual(['outgoing_failed', 'no_answer'])
    expect(await refusal(http.fetch('http://127.0.0.1:1/'))).toEqual(['outgoing_failed', 'no_answer'])
  })

  test('is allowed only to the hosts in the manifest', async () => {
    for (const url of ['http://127.0.0.2/', 'http://api.example.com/', 'http://127.0.0.1.evil.test/'])
      expect(await refusal(http.fetch(url))).toEqual(['outgoing_refused', 'host'])
    const other = instance.runtime.host.registry.get('catalog')!.ctx
    expect(await refusal(other.http.fetch(service.url))).toEqual(['outgoing_refused', 'host'])
    expect(service.asked).toEqual([])
  })

  test('is allowed to the hosts in its settings of any clinic, if the manifest declares this', async () => {
    service.answers['/'] = response => response.end()
    const { http } = instance.runtime.host.registry.get('settled')!.ctx
    expect(await refusal(http.fetch(service.url))).toEqual(['outgoing_refused', 'host'])
    const admin = await instance.as('admin')
    const change = async (settings: object) =>
      expect((await admin.patch('/api/v1/clinic/settings/settled', settings)).status).toBe(200)
    await change({ secret_url: `${service.url}/hook` })
    expect((await http.fetch(service.url)).status).toBe(200)
    await change({ secret_url: null, host: '127.0.0.1' })
    expect((await http.fetch(service.url)).status).toBe(200)
    await change({ host: 'elsewhere.example' })
    expect(await refusal(http.fetch(service.url))).toEqual(['outgoing_refused', 'host'])
    expect(await refusal(http.fetch('http://default.invalid/'))).toEqual(['outgoing_failed', 'unresolved'])
  })

  test('is refused while a guard runs, and in what the guard starts', async () => {
    let found
    const guard = forbidCalls(async () => { found = await refusal(http.fetch(service.url)) })
    await expect(guard).rejects.toThrow('it made an outgoing call')
    expect(found).toEqual(['outgoing_refused', 'guard'])
    expect(service.asked).toEqual([])
  })

  test('becomes a problem document if it fails in an endpoint: 503, or 500 for a mistake of the module', async () => {
    const answerFor = async (url: string) => {
      const { status, body } = await instance.anonymous().post('/api/v1/public/caller/call', { url })
      return [status, body.code, body.reason]
    }
    expect(await answerFor('http://127.0.0.1:1/')).toEqual([503, 'outgoing_failed', 'no_answer'])
    expect(await answerFor('http://api.example.com/')).toEqual([500, 'outgoing_refused', 'host'])
    expect(await answerFor('nowhere')).toEqual([500, 'internal_error', undefined])
  })
})

describe('without the operator’s permission', () => {
  let instance: Instance
  beforeAll(async () => {
    instance = await anInstanceWithCaller({})
  })
  afterAll(() => instance.close())

  test.each([
    ['https://127.0.0.1/', 'private_address'],
    ['https://2130706433/', 'private_address'],
    ['https://[::1]/', 'private_address'],
    ['https://10.0.0.1/', 'private_address'],
    ['https://localhost/', 'private_address'],
    ['http://127.0.0.1/', 'not_https']
  ])('%s is not called: %s', async (url, reason) => {
    expect(await refusal(ctxOf(instance).http.fetch(url))).toEqual(['outgoing_refused', reason])
  })
})
