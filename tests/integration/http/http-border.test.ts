import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCaller, type Answer, type Caller } from '../../support/caller.ts'
import { aProbe, expectProblem, type Probe } from '../../support/modules/probe.ts'

let probe: Probe
let caller: Caller
beforeAll(async () => {
  probe = await aProbe()
  caller = createCaller(probe.url)
})
afterAll(() => probe.close())

describe('requests from other sites', () => {
  const cookie = { cookie: 'any=1' }
  const post = (headers: Record<string, string>) =>
    caller.post('/api/v1/probe/things', { name: 'a' }, { headers: { origin: '', ...headers } })

  test.each([
    ['a foreign origin', { origin: 'https://evil.test' }],
    ['the origin null', { origin: 'null' }],
    ['a foreign site', { 'sec-fetch-site': 'cross-site' }],
    ['our origin under a foreign site', { 'origin': 'own', 'sec-fetch-site': 'same-site' }]
  ])('are refused if they have a cookie and %s', async (_, sent) => {
    const headers = { ...cookie, ...sent } as Record<string, string>
    if (headers.origin === 'own') headers.origin = probe.url
    expectProblem(await rawPost(headers), 'cross_origin')
  })

  test('are refused if they have a cookie and neither header', async () => {
    expectProblem(await rawPost(cookie), 'cross_origin')
  })

  test('requests with our own origin, by the base URL or the host, or with same-origin, are accepted', async () => {
    expect((await rawPost({ ...cookie, origin: probe.base_url })).status).toBe(201)
    expect((await rawPost({ ...cookie, origin: probe.url })).status).toBe(201)
    expect((await rawPost({ ...cookie, 'sec-fetch-site': 'same-origin' })).status).toBe(201)
  })

  test('without a cookie are not checked, and reading is always allowed', async () => {
    expect((await post({ origin: 'https://evil.test' })).status).toBe(201)
    expect(
      (await caller.get('/api/v1/probe/things/7', { headers: { ...cookie, origin: 'https://evil.test' } })).status
    ).toBe(200)
  })
})

describe('request limits', () => {
  test('are shown in headers of limited answers, with the remaining number', async () => {
    const { headers } = await caller.get('/api/v1/probe/things/7')
    expect(headers.get('ratelimit-policy')).toBe('"public";q=600;w=60')
    expect(headers.get('ratelimit')).toMatch(/^"public";r=\d+;t=\d+$/)
  })

  test('of failures count no right calls, and refuse every call after the limit', async () => {
    const guess = (right: boolean) => caller.post('/api/v1/probe/guess', { right })
    for (let i = 0; i < 4; i++) expect((await guess(true)).status).toBe(200)
    for (let i = 0; i < 2; i++) expect((await guess(false)).status).toBe(200)
    const refused = await guess(true)
    expectProblem(refused, 'too_many_requests')
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect(refused.headers.get('ratelimit')).toContain('"guess";r=0')
  })

  test('of successes count only responses with the file, separately for each parameter', async () => {
    const file = (token: string, found: string) => caller.get(`/api/v1/probe/file/${token}?found=${found}`)
    for (let i = 0; i < 5; i++) expect((await file('a', 'no')).status).toBe(404)
    expect((await caller.head('/api/v1/probe/file/a')).status).toBe(200)
    for (let i = 0; i < 2; i++) expect((await file('a', 'yes')).status).toBe(200)
    expect((await file('a', 'yes')).status).toBe(429)
    expect((await file('b', 'yes')).status).toBe(200)
  })

  test('allow no more parallel downloads than the limit', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => caller.get('/api/v1/probe/file/c')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
  })

  test('of a session are checked before the query', async () => {
    expect((await caller.get('/api/v1/probe/file/c?nonsense=1')).status).toBe(429)
    expect((await caller.get('/api/v1/probe/file/d?nonsense=1')).status).toBe(422)
  })
})

/** Sends the headers as a browser would. `fetch` would add its own origin. */
function rawPost(headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${probe.url}/api/v1/probe/things`,
      { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
      (response) => {
        const chunks: Buffer[] = []
        response
          .on('data', chunk => chunks.push(chunk))
          .on('end', () => {
            const bytes = Buffer.concat(chunks)
            resolve({
              status: response.statusCode!,
              headers: new Headers(response.headers as Record<string, string>),
              bytes,
              body: JSON.parse(bytes.toString())
            })
          })
      }
    )
    sent.on('error', reject).end('{"name":"a"}')
  })
}
