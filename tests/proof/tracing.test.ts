import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../../server/core/log.ts'
import { createTracing } from '../../server/core/observe/tracing.ts'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, eventually } from '../support/builders.ts'
import { anInstance, type Instance } from '../support/instance.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'
const traceparent = `00-${TRACE}-${CALLER}-01`

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: { key: string, value: Record<string, unknown> }[]
  links?: { traceId: string, spanId: string }[]
  status: { code?: number }
}
interface Receiver { url: string, spans: Span[], /* Everything received, as text. */ texts: string[], close(): void }

/** An OpenTelemetry collector, as the service sees one. `answer` may never resolve. */
async function aReceiver(
  answer: (server: import('node:http').ServerResponse) => void = response =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
): Promise<Receiver> {
  const [spans, texts]: [Span[], string[]] = [[], []]
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request
      .on('data', chunk => chunks.push(chunk))
      .on('end', () => {
        const text = Buffer.concat(chunks).toString()
        texts.push(`${request.method} ${request.url} ${text}`)
        for (const resource of JSON.parse(text).resourceSpans)
          for (const scope of resource.scopeSpans) spans.push(...scope.spans)
        answer(response)
      })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    texts,
    close: () => {
      server.close().closeAllConnections()
    }
  }
}

const attribute = ({ attributes }: Span, name: string) =>
  Object.values(attributes.find(({ key }) => key === name)?.value ?? {})[0]

describe('with a receiver of spans', () => {
  let receiver: Receiver
  let instance: Instance
  beforeAll(async () => {
    receiver = await aReceiver()
    instance = await anInstance({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_SERVICE_NAME: 'clinic-test' } })
  })
  afterAll(async () => {
    await instance.close()
    receiver.close()
  })

  test('a request is a child span of its caller\'s, with route, method and status', async () => {
    const { token } = await aSentBudget(instance)
    await instance.anonymous().get(`/api/v1/public/budgets/${token}/meta`, { headers: { traceparent } })
    const span = await eventually(
      async () =>
        receiver.spans.find(
          ({ name, traceId }) => traceId === TRACE && name === 'GET /api/v1/public/budgets/:token/meta'
        ),
      'the span'
    )
    expect(span).toMatchObject({ traceId: TRACE, parentSpanId: CALLER, kind: 2 })
    expect(span.attributes.map(({ key }) => key).sort()).toEqual([
      'http.request.method',
      'http.response.status_code',
      'http.route',
      'svc.module'
    ])
    expect(attribute(span, 'http.response.status_code')).toBe(200)
    expect(receiver.texts[0]).toMatch(/^POST \/v1\/traces .*clinic-test/)
  })

  test('work that a request leaves for later is a separate span that links to the request', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    const other = TRACE.replaceAll('0', '1')
    await patient.post(`${budget.base}/accept`, ACCEPTANCE, {
      headers: { traceparent: traceparent.replace(TRACE, other) }
    })
    const request = await eventually(
      async () => receiver.spans.find(({ traceId, kind }) => traceId === other && kind === 2),
      'the request\'s span'
    )
    const later = await eventually(
      async () =>
        receiver.spans.find(
          ({ name, links }) =>
            name === 'event billing budget.accepted' && links?.some(({ spanId }) => spanId === request.spanId)
        ),
      'the delivery\'s span'
    )
    expect([attribute(later, 'svc.kind'), attribute(later, 'svc.module'), attribute(later, 'svc.attempt')]).toEqual([
      'event',
      'billing',
      1
    ])
    expect(later.traceId).not.toBe(other)
  })

  test('a request is not recorded if its caller doesn\'t want it, and a broken header is ignored', async () => {
    const quiet = 'c'.repeat(32)
    await instance.anonymous().get('/api/v1/openapi.json', { headers: { traceparent: `00-${quiet}-${CALLER}-00` } })
    for (const wrong of ['x', `00-${'0'.repeat(32)}-${CALLER}-01`, `ff-${TRACE}-${CALLER}-01`]) {
      expect((await instance.anonymous().get('/api/docs', { headers: { traceparent: wrong } })).status).toBe(200)
    }
    const spans = await eventually(async () => {
      const found = receiver.spans.filter(({ name }) => name === 'GET /api/docs')
      return found.length === 3 && found
    }, 'the spans')
    expect(spans.every(({ parentSpanId }) => !parentSpanId)).toBe(true)
    expect(receiver.spans.some(({ traceId }) => traceId === quiet)).toBe(false)
  })

  test('nothing that was sent contains a token, a code, an id or what a person wrote', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    await patient.post(`${budget.base}/verify`, { code: '000111' })
    await patient.post(`${budget.base}/reject?locale=es`, { reason: 'too dear for Lucinda' })
    await (await instance.as('admin')).get('/api/v1/budget/budgets?search=Lucinda')
    await eventually(
      async () =>
        receiver.spans.some(
          ({ name }) => name === 'event reports budget.rejected' || name === 'GET /api/v1/budget/budgets'
        ),
      'the last span'
    )
    const sent = receiver.texts.join('\n')
    for (const secret of [budget.token, budget.code, '000111', budget.id, 'Lucinda', 'dear', 'locale=', instance.clinic.id])
      expect(sent).not.toContain(secret)
  })
})

test('a receiver that refuses, hangs or does not exist affects no request', async () => {
  const hanging = await aReceiver(() => {})
  const refusing = await aReceiver(response => response.writeHead(500).end())
  try {
    for (const url of [hanging.url, refusing.url, 'http://127.0.0.1:1']) {
      const instance = await anInstance({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: url } })
      const start = performance.now()
      for (let i = 0; i < 20; i++) expect((await instance.anonymous().get('/api/v1/openapi.json')).status).toBe(200)
      expect(performance.now() - start).toBeLessThan(15_000)
      await instance.close() // must end within the test's own time limit
    }
  } finally {
    hanging.close()
    refusing.close()
  }
}, 90_000)

describe('without a receiver', () => {
  test('a request has its caller\'s trace id in its log lines, and no trace id without a caller\'s', async () => {
    const lines: string[] = []
    const log = createLog({ production: true, log_level: 'info' }, line => lines.push(line))
    const tracing = await createTracing({ otlp_endpoint: null, service_name: 'x' }, { log, version: '1', boot_id: 'b' })
    const work = { kind: 'request' as const, name: 'GET /x', attributes: {} }
    await tracing.run({ ...work, traceparent }, async () => log.info('inside'))
    await tracing.run(work, async () => log.info('alone'))
    expect(lines.map(line => JSON.parse(line).trace_id)).toEqual([TRACE, undefined])
  })
})
