import fc, { type Arbitrary } from 'fast-check'
import { valuesOf, type JsonSchema } from '../json-schema.ts'
import type { Route } from './document.ts'
import type { Who } from './people.ts'
import type { Things } from './things.ts'

export interface Call {
  who: Who
  /** With the query. */
  path: string
  headers: Record<string, string>
  /** As it is sent; undefined if there is none. */
  payload: string | Uint8Array | undefined
}

const PATHS = [
  'x',
  '-',
  '%ff',
  '%00',
  '..%2f',
  '\u202E',
  '9'.repeat(40),
  '00000000-0000-0000-0000-000000000000',
  'a'.repeat(2000),
  '%F0%9F%98%80',
  '\';--',
  '*'
]
const WORDS = [
  '',
  '0',
  '-1',
  '1e9',
  'true',
  'null',
  '%',
  '\0',
  'a'.repeat(3000),
  '2026-02-30',
  '\uD800',
  '<b>',
  '10001',
  'draft',
  '-created_at'
]

/** Further headers that a caller may send. Most of them are nonsense, and none may do harm. */
const HEADERS: [string, string[]][] = [
  ['accept', ['text/html', 'application/json', 'text/html,application/json;q=0.1', '*/*;q=0', 'x']],
  ['accept-language', ['es', 'ar,en;q=0.5', 'xx', ';;;', '*']],
  ['if-match', ['*', '"1"', 'W/"1"', '"1", "2"', '"', 'nonsense']],
  ['if-none-match', ['*', '"1"', 'W/"x"', ',,,']],
  ['range', ['bytes=0-10', 'bytes=-1', 'bytes=9999999-', 'x']],
  ['x-request-id', ['abc-123', '<script>', 'a'.repeat(300), ' ']],
  ['x-forwarded-for', ['1.2.3.4', '::1, junk', '999.1.1.1']],
  [
    'traceparent',
    [
      '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      '00-0-0-0',
      'ff',
      '00-00000000000000000000000000000000-0000000000000000-01'
    ]
  ],
  ['authorization', ['Bearer', 'Bearer x', 'Basic YTpi', `Bearer ${'a'.repeat(3000)}`, 'Bearer a b']],
  ['cookie', ['svc_session=x', 'budget_session=%', 'a', '=;=;', `svc_session=${'A'.repeat(43)}`]],
  ['origin', ['https://evil.test', 'null', 'x']],
  ['sec-fetch-site', ['cross-site', 'same-origin', 'x']],
  ['content-encoding', ['gzip', 'identity', 'x']],
  ['user-agent', ['', 'x'.repeat(1000), 'curl/8']],
  ['purpose', ['prefetch']]
]

const TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'application/merge-patch+json',
  'application/json; charset=utf-16',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  '',
  'image/svg+xml',
  'image/png',
  '\t'
]
const TEXTS = [
  '',
  '{',
  'null',
  '[]',
  '"x"',
  '0',
  '{"a":1,"a":2}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":1}',
  `${'['.repeat(20_000)}`,
  '\uFEFF{}',
  '{"name":"\\u0000"}',
  '{"name":"\\ud800"}',
  `{"x":"${'y'.repeat(1_100_000)}"}`,
  '<svg onload=alert(1)>'
]
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64'
)

/** Valid, nearly valid and wild: one call of a route, by permitted and other callers, and without credentials. */
export function callsOf(route: Route, things: Things, people: Who[]): Arbitrary<Call> {
  const { parameters = [], requestBody } = route.operation
  const inPath = parameters.filter(parameter => parameter.in === 'path')
  const inQuery = parameters.filter(parameter => parameter.in === 'query')
  const names = (name: string) => things.pick(name === 'id' ? things.collectionOf(route.path) : name)
  return fc
    .record({
      who: fc.oneof(
        { arbitrary: fc.constant(people[0]!), weight: 12 },
        { arbitrary: fc.constantFrom(...people), weight: 5 }
      ),
      segments: fc.tuple(
        ...inPath.map(({ name }) => mostly(names(name), fc.oneof(fc.constantFrom(...PATHS), fc.uuid())))
      ),
      query: queryOf(
        inQuery.map(({ name, schema }) => ({ name, schema })),
        things
      ),
      headers: fc
        .subarray(HEADERS, { maxLength: 3 })
        .chain(some =>
          fc.tuple(...some.map(([name, values]) => fc.constantFrom(...values).map(value => [name, value] as const)))
        ),
      wild: fc.integer({ min: 0, max: 3 }),
      body: bodyOf(requestBody?.content ?? {}, things)
    })
    .map(({ who, segments, query, headers, wild, body }) => {
      let next = 0
      const path = route.path.replace(/\{\w+\}/g, () => segments[next++]!)
      return {
        who,
        path: query ? `${path}?${query}` : path,
        headers: { ...body?.headers, ...(wild === 0 ? Object.fromEntries(headers) : {}) },
        payload: route.method === 'get' ? undefined : body?.payload
      }
    })
}

const mostly = <T>(usual: Arbitrary<T>, odd: Arbitrary<T>): Arbitrary<T> =>
  fc.oneof({ arbitrary: usual, weight: 9 }, { arbitrary: odd, weight: 1 })

/** True once in `of`; otherwise null. */
const rarely = <T>(value: Arbitrary<T>, of: number): Arbitrary<T | null> =>
  fc.oneof({ arbitrary: fc.constant(null), weight: of - 1 }, { arbitrary: value, weight: 1 })

function queryOf(parameters: { name: string, schema: JsonSchema }[], things: Things): Arbitrary<string> {
  const given = fc.tuple(
    ...parameters.map(({ name, schema }) =>
      rarely(mostly(valuesOf(schema, things, name), fc.constantFrom<unknown>(...WORDS)), 3).map(
        value => [name, value] as const
      )
    )
  )
  const unknown = rarely(
    fc.tuple(fc.constantFrom('x', 'page', '__proto__', 'status[]', ''), fc.constantFrom(...WORDS)),
    25
  )
  return fc.tuple(given, unknown).map(([pairs, odd]) => {
    const all = [
      ...pairs.flatMap(([name, value]) => (value === null ? [] : [value].flat().map(one => [name, asText(one)]))),
      ...(odd ? [odd] : [])
    ]
    return new URLSearchParams(all as [string, string][]).toString()
  })
}

const asText = (value: unknown) => typeof value === 'object' ? JSON.stringify(value) : String(value)

type Body = { payload: string | Uint8Array, headers: Record<string, string> } | undefined

function bodyOf(content: Record<string, { schema?: JsonSchema }>, things: Things): Arbitrary<Body> {
  const wild: Arbitrary<Body> = fc
    .record({
      payload: fc.oneof(fc.constantFrom(...TEXTS), fc.uint8Array({ maxLength: 40 })),
      type: fc.constantFrom(...TYPES)
    })
    .map(({ payload, type }) => ({ payload, headers: { 'content-type': type } }))
  const none: Arbitrary<Body> = fc.constant(undefined)
  const kinds = Object.entries(content).map(([type, { schema }]): Arbitrary<Body> =>
    schema
      ? fc
          .record({
            value: nearly(valuesOf(schema, things)),
            type: mostly(fc.constant(type), fc.constantFrom(...TYPES))
          })
          .map(({ value, type }) => ({ payload: JSON.stringify(value) ?? '', headers: { 'content-type': type } }))
      : type === 'multipart/form-data'
        ? FORMS
        : fc
            .oneof(fc.constant(PNG), fc.uint8Array({ maxLength: 200 }))
            .map(payload => ({ payload, headers: { 'content-type': type } }))
  )
  if (kinds.length === 0) return fc.oneof({ arbitrary: none, weight: 9 }, { arbitrary: wild, weight: 1 })
  return fc.oneof(
    { arbitrary: fc.oneof(...kinds), weight: 14 },
    { arbitrary: wild, weight: 1 },
    { arbitrary: none, weight: 1 }
  )
}

/** A file with a few arbitrary rows, in the form that a browser sends. */
const FORMS: Arbitrary<Body> = fc
  .record({
    file: fc.oneof(
      fc.array(fc.array(fc.oneof(fc.constantFrom('code', 'first_name', 'Ana', '12,50', '1985-04-03', '"', '=1'), fc.string({ unit: 'grapheme', maxLength: 12 })), { maxLength: 6 }), { maxLength: 6 })
        .map(rows => Buffer.from(rows.map(cells => cells.join(',')).join('\n'))),
      fc.uint8Array({ maxLength: 200 }).map(bytes => Buffer.from(bytes))
    ),
    name: mostly(fc.constant('file'), fc.constantFrom('', 'mapping', 'other'))
  })
  .map(({ file, name }) => ({
    payload: Buffer.concat([
      Buffer.from(`--fuzz\r\nContent-Disposition: form-data; name="${name}"; filename="a.csv"\r\n\r\n`),
      file,
      Buffer.from('\r\n--fuzz--\r\n')
    ]),
    headers: { 'content-type': 'multipart/form-data; boundary=fuzz' }
  }))

/** Sometimes leaves out a member, adds an unknown one, or changes a member's type. */
function nearly(value: Arbitrary<unknown>): Arbitrary<unknown> {
  return fc.tuple(value, fc.nat({ max: 19 }), fc.nat({ max: 50 })).map(([given, choice, at]) => {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
    const names = Object.keys(given)
    const name = names[at % Math.max(1, names.length)] ?? 'x'
    const rest = given as Record<string, unknown>
    if (choice === 0) return { ...rest, [name]: undefined }
    if (choice === 1) return { ...rest, unknown_member: 1 }
    if (choice === 2) return { ...rest, [name]: [rest[name]] }
    if (choice === 3) return { ...rest, [name]: null }
    return rest
  })
}
