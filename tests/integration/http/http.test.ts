import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCaller, type Caller } from '../../support/caller.ts'
import { aProbe, expectProblem, type Probe } from '../../support/modules/probe.ts'

let probe: Probe
let caller: Caller
beforeAll(async () => {
  probe = await aProbe()
  caller = createCaller(probe.url)
})
afterAll(() => probe.close())

describe('answers', () => {
  test('data is in an envelope, times are ISO with Z, and no field outside the schema is sent', async () => {
    const { status, body, headers } = await caller.get('/api/v1/probe/things/7')
    expect([status, body]).toEqual([200, { data: { id: '7', at: '1970-01-01T00:00:00.000Z' } }])
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('a valid X-Request-Id is kept, and another one is replaced', async () => {
    const sent = async (id: string) =>
      (await caller.get('/api/v1/probe/things/7', { headers: { 'x-request-id': id } })).headers.get('x-request-id')
    expect(await sent('abc-123.4')).toBe('abc-123.4')
    expect(await sent('<script>')).toMatch(/^[\da-f-]{36}$/)
  })

  test('HEAD is GET without a body', async () => {
    const [head, get] = [await caller.head('/api/v1/probe/things/7'), await caller.get('/api/v1/probe/things/7')]
    expect([head.status, head.bytes.length]).toEqual([200, 0])
    expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
  })

  test('everything below /api/v1/public is marked: not to be stored or indexed, and no referrer', async () => {
    const { headers, bytes } = await caller.get('/api/v1/public/probe/file')
    expect(bytes.toString()).toBe('%PDF')
    expect(
      Object.fromEntries(
        ['cache-control', 'x-robots-tag', 'referrer-policy', 'content-type', 'set-cookie'].map(name => [
          name,
          headers.get(name)
        ])
      )
    ).toEqual({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
      'content-type': 'application/pdf',
      'set-cookie': 'x=a%20b; Path=/api/v1/public/probe; HttpOnly; SameSite=Strict'
    })
    expect((await caller.get('/api/v1/public/nowhere')).headers.get('x-robots-tag')).toBe('noindex')
  })

  test('money that is still a bigint, and data that does not fit its schema, are server errors and never partial responses', async () => {
    expectProblem(await caller.get('/api/v1/probe/bigint'), 'internal_error')
    expectProblem(await caller.get('/api/v1/probe/misfit'), 'internal_error')
  })
})

describe('problems', () => {
  test('an unknown path is 404, and an unsupported method 405 with Allow', async () => {
    expectProblem(await caller.get('/api/v1/nowhere'), 'not_found')
    const wrong = await caller.delete('/api/v1/probe/things/7')
    expectProblem(wrong, 'method_not_allowed')
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test('malformed percent-encoding is 404 in a path and 422 in a query', async () => {
    for (const odd of ['rows/%ff%fe', 'rows/a%00b', '%ff', 'rows/1/%ff'])
      expect((await caller.get(`/api/v1/probe/${odd}`)).status).toBe(404)
    expect((await caller.get('/api/v1/probe/list?status=%ff')).status).toBe(422)
    expect((await caller.get('/api/v1/probe/list?search=%00')).status).toBe(422)
  })

  test('an unexpected error reveals no internals', async () => {
    const answer = await caller.get('/api/v1/probe/throws')
    expectProblem(answer, 'internal_error')
    expect(answer.bytes.toString()).not.toContain('12345')
    expectProblem(await caller.get('/api/v1/probe/unknown-code'), 'internal_error')
  })

  test('retry_after becomes a header, other members stay, and the document\'s own cannot be replaced', async () => {
    const answer = await caller.get('/api/v1/probe/locked')
    expectProblem(answer, 'probe_locked')
    expect([
      answer.status,
      answer.headers.get('retry-after'),
      answer.body.locked_until,
      answer.body.retry_after
    ]).toEqual([423, '13', '1970-01-01T00:00:00.000Z', undefined])
  })

  test('an id of the wrong form is 404, like any unknown id', async () => {
    expectProblem(await caller.get('/api/v1/probe/rows/nonsense'), 'not_found')
  })

  test('a module that does not run is 503, and one that does not exist 404', async () => {
    expect((await caller.get('/api/v1/broken/things')).status).toBe(503)
    expectProblem(await caller.get('/api/v1/public/broken/x'), 'module_errored')
    expect((await caller.get('/api/v1/brokenly')).status).toBe(404)
  })

  test('a person who followed a plain link with an ended session is sent to the page, while a program gets JSON', async () => {
    const person = await caller.get('/api/v1/public/probe/page', {
      headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    })
    expect([person.status, person.headers.get('location'), person.bytes.length]).toEqual([303, '/p/probe/1', 0])
    const program = await caller.get('/api/v1/public/probe/page', { headers: { accept: 'application/json' } })
    expectProblem(program, 'probe_ended')
    expect(program.body.see_other).toBeUndefined()
  })
})

describe('bodies', () => {
  test('a missing, wrong or unknown field is named by its pointer', async () => {
    const answer = await caller.post('/api/v1/probe/things', {
      'items': [{ quantity: 1 }, { quantity: 'x' }],
      'a/b~c': 1,
      'extra': 1
    })
    expectProblem(answer, 'validation_failed')
    expect(answer.status).toBe(422)
    expect(answer.body.errors.map((error: { pointer: string }) => error.pointer).sort()).toEqual([
      '/a~1b~0c',
      '/extra',
      '/items/1/quantity',
      '/name'
    ])
  })

  test.each([
    ['a body that isn\'t JSON', '{"name":'], ['a body that isn\'t UTF-8', Buffer.from([0x22, 0xFF, 0x22])]
  ])('%s is 422 at the root', async (_, raw) => {
    const { status, body } = await caller.post('/api/v1/probe/things', undefined, {
      raw,
      headers: { 'content-type': 'application/json' }
    })
    expect([status, body.errors[0].pointer]).toEqual([422, ''])
  })

  test.each([
    ['NUL in a text', '{"name":"1\\u00002"}', ['/name']], ['half a surrogate pair', '{"name":"\\ud800"}', ['/name']],
    ['NUL in a list', '{"name":"a","items":["b","c\\u0000",{"quantity":"\\u0000"}]}', ['/items/1']],
    ['NUL in the name of a field', '{"name":"a","b\\u0000":1}', ['/b\0']], ['NUL as the whole body', '"\\u0000"', ['']]
  ])('%s is 422 and points to what cannot be stored', async (_, raw, pointers) => {
    const answer = await caller.post('/api/v1/probe/things', undefined, {
      raw,
      headers: { 'content-type': 'application/json' }
    })
    expectProblem(answer, 'validation_failed')
    expect(answer.body.errors.map((error: { pointer: string }) => error.pointer)).toEqual(pointers)
    expect(answer.body.errors[0].message).toBe(
      'Must not contain U+0000 or half of a surrogate pair: they cannot be stored.'
    )
  })

  test('a member __proto__ is an unknown field at any depth, and is not dropped before the check', async () => {
    for (const [raw, pointer] of [
      ['{"name":"a","__proto__":{"name":"b"}}', '/__proto__'],
      ['{"name":"a","items":[{"__proto__":1}]}', '/items/0/__proto__']
    ]) {
      const answer = await caller.post('/api/v1/probe/things', undefined, { raw })
      expectProblem(answer, 'validation_failed')
      expect(answer.body.errors).toEqual([{ pointer, message: 'Unknown field.' }])
    }
  })

  test('a whole surrogate pair is valid text', async () => {
    const { status, body } = await caller.post('/api/v1/probe/things', undefined, { raw: '{"name":"\\ud83d\\ude00"}' })
    expect([status, body.data.name]).toEqual([201, '😀'])
  })

  test('a body needs the type application/json, and a missing body needs none', async () => {
    expect(
      (
        await caller.post('/api/v1/probe/things', undefined, {
          raw: '{"name":"a"}',
          headers: { 'content-type': 'text/plain' }
        })
      ).status
    ).toBe(415)
    expect(
      (
        await caller.post('/api/v1/probe/things', undefined, {
          raw: '{"name":"a"}',
          headers: { 'content-type': 'application/json; charset=utf-8' }
        })
      ).status
    ).toBe(201)
    expect((await caller.post('/api/v1/probe/small')).status).toBe(204)
  })

  test('a body that is too large is 413, even if its length is not announced', async () => {
    expect((await caller.post('/api/v1/probe/things', { name: 'x'.repeat(1_000_001) })).status).toBe(413)
    expect((await caller.post('/api/v1/probe/small', { text: 'x'.repeat(100) })).status).toBe(413)
    expect(await postInPieces('/api/v1/probe/small', Array.from({ length: 50 }, () => 'x'.repeat(1000)))).toBe(413)
  })

  test('routes without a body accept only an empty one', async () => {
    expect((await caller.post('/api/v1/probe/nothing')).status).toBe(204)
    expect((await caller.post('/api/v1/probe/nothing', {})).status).toBe(204)
    expect((await caller.post('/api/v1/probe/nothing', { a: 1 })).body.errors).toEqual([
      { pointer: '/a', message: 'Unknown field.' }
    ])
  })
})

describe('query parameters', () => {
  test('a repeatable one is a list, even if it occurs once', async () => {
    expect((await caller.get('/api/v1/probe/list?status=a')).body).toEqual({
      data: ['a'],
      total: 1,
      page: 1,
      page_size: 20
    })
    expect((await caller.get('/api/v1/probe/list?status=a&status=b')).body.data).toEqual(['a', 'b'])
    expect((await caller.get('/api/v1/probe/list?search=a&search=b')).status).toBe(422)
  })

  test('unknown parameters and values are refused, even if the route has no parameters', async () => {
    expect((await caller.get('/api/v1/probe/list?status=c')).body.errors[0].pointer).toBe('/status/0')
    expect((await caller.get('/api/v1/probe/list?nope=1')).body.errors).toEqual([
      { pointer: '/nope', message: 'Unknown field.' }
    ])
    expect((await caller.get('/api/v1/probe/things/7?nope=1&__proto__=2')).body.errors).toHaveLength(2)
  })
})

describe('whole numbers in a query', () => {
  const list = async (query: string) => await caller.get(`/api/v1/probe/list?${query}`)

  test('must consist of decimal digits', async () => {
    expect((await list('page=12')).body.page).toBe(12)
    expect((await list('ids=7&ids=-8')).status).toBe(200)
  })

  test.each([
    '0x1',
    '1e3',
    '+1',
    '%201',
    '1%20',
    '1.0',
    '',
    'Infinity',
    '0b1',
    '1_0',
    '%EF%BC%91',
    '99999999999999999999'
  ])('are refused if not a number: page=%s', async (odd) => {
    const answer = await list(`page=${odd}&nope=1`)
    expectProblem(answer, 'validation_failed')
    expect(answer.body.errors.map((error: { pointer: string }) => error.pointer).sort()).toEqual(['/nope', '/page'])
    expect((await list(`ids=${odd}`)).body.errors[0].pointer).toBe('/ids/0')
  })
})

describe('raw requests', () => {
  test('a request target without a path is 404', async () => {
    expect(await rawTarget('http://elsewhere/api/v1/me')).toContain('HTTP/1.1 404')
    expect(await rawTarget('*', 'OPTIONS')).toContain('HTTP/1.1 404')
  })
})

function postInPieces(path: string, pieces: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${probe.url}${path}`,
      { method: 'POST', headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' } },
      (response) => {
        response.resume()
        resolve(response.statusCode!)
      }
    )
    sent.on('error', reject)
    for (const piece of pieces) sent.write(piece)
    sent.end()
  })
}

function rawTarget(target: string, method = 'GET'): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(probe.port, '127.0.0.1', () =>
      socket.write(`${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    )
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text
    }).on('end', () => resolve(answer)).on('error', reject)
  })
}
