import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createToken } from '../../../server/core/people/tokens/create-token.ts'
import { BUDGETS, aSentBudget } from '../../support/builders.ts'
import { createCaller, type Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { STAFF_ENDPOINTS } from '../../support/staff-endpoints.ts'

let instance: Instance
let operator: Caller
beforeAll(async () => {
  instance = await anInstance()
  operator = await instance.asInstanceAdmin()
})
afterAll(() => instance?.close())

const scrape = async (): Promise<string> => (await operator.get('/metrics')).bytes.toString()
/** The value of one series, or undefined if there is none. */
const valueOf = (text: string, series: string) => {
  const line = text.split('\n').find(line => line.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

describe('GET /metrics', () => {
  test('is in Prometheus text format, for an admin token only', async () => {
    const answer = await operator.get('/metrics')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    expect((await instance.anonymous().get('/metrics')).status).toBe(401)
    expect((await (await instance.as('admin')).get('/metrics')).status).toBe(403)
  })

  test('can be read by a token of scope metrics, which opens nothing else', async () => {
    const { token } = await createToken(instance.runtime.host, { scope: 'metrics' })
    const prometheus = createCaller(instance.url, { bearer: token })
    expect((await prometheus.get('/metrics')).status).toBe(200)
    for (const endpoint of Object.values(STAFF_ENDPOINTS).flat().filter(endpoint => endpoint !== 'GET /metrics')) {
      const [method, path] = endpoint.toLowerCase().split(' ') as ['get' | 'post' | 'patch' | 'put' | 'delete', string]
      const { status, body } = await prometheus[method](path.replace('{id}', instance.clinic.id).replace('{name}', 'budget'))
      expect([endpoint, status, body?.code]).toEqual([endpoint, 403, 'permission_denied'])
    }
  })

  test('counts requests and their time by route, without tokens, ids or invented paths', async () => {
    const { token, id } = await aSentBudget(instance)
    await instance.anonymous().get(`/api/v1/public/budgets/${token}/meta`)
    await instance.anonymous().get('/api/v1/nowhere/at-all')
    const text = await scrape()
    expect(
      valueOf(
        text,
        'svc_http_request_seconds_count{method="GET",route="/api/v1/public/budgets/:token/meta",status="200"}'
      )
    ).toBe(1)
    for (const secret of [token, id, 'at-all']) expect(text).not.toContain(secret)
    expect(valueOf(text, 'svc_http_connections_refused_total')).toBe(0)
  })

  test('has the age of the PDF queue, the lag of the outbox, and locks', async () => {
    const { id } = await aSentBudget(instance)
    await instance.sql.begin(async (sql) => {
      await sql`set local session_replication_role = replica`
      await sql`update budget set signed_pdf_status = 'pending', decided_at = now() - interval '90 seconds' where id = ${id}`
      await sql`update budget_link set locked_until = now() + interval '1 hour' where budget_id = ${id}`
      await sql`insert into core_delivery (module_name, kind, name, line, next_attempt_at, created_at, attempts)
                values ('nobody', 'event', 'x', 'x', now() + interval '1 day', now() - interval '5 minutes', 3)`
    })
    const text = await scrape()
    expect(valueOf(text, 'svc_budget_signed_pdf_pending')).toBe(1)
    expect(valueOf(text, 'svc_budget_signed_pdf_oldest_seconds')).toBeGreaterThanOrEqual(90)
    expect(valueOf(text, 'svc_budget_links_locked')).toBe(1)
    expect(valueOf(text, 'svc_outbox_pending{kind="event"}')).toBeGreaterThanOrEqual(1)
    expect(valueOf(text, 'svc_outbox_failing{kind="event"}')).toBeGreaterThanOrEqual(1)
    expect(valueOf(text, 'svc_outbox_lag_seconds{kind="event"}')).toBeGreaterThanOrEqual(300)
    // A job of this instance may be waiting at the moment.
    await expect.poll(async () => valueOf(await scrape(), 'svc_database_lock_waiters')).toBe(0)
  })

  test('counts connections that wait for a lock', async () => {
    const { id } = await aSentBudget(instance)
    const staff = await instance.as('admin')
    let waiting: Promise<{ status: number }> | undefined
    await instance.sql.begin(async (sql) => {
      await sql`select 1 from budget where id = ${id} for update`
      waiting = staff.post(`${BUDGETS}/${id}/unlock-public`, {})
      await expect.poll(async () => valueOf(await scrape(), 'svc_database_lock_waiters')).toBeGreaterThanOrEqual(1)
    })
    expect((await waiting!).status).toBe(200)
  })

  test('has each series once and each name with a description, as Prometheus requires', async () => {
    const lines = (await scrape()).trim().split('\n')
    const series = lines
      .filter(line => line !== '' && !line.startsWith('#'))
      .map(line => line.slice(0, line.lastIndexOf(' ')))
    expect(new Set(series).size).toBe(series.length)
    const explained = new Set(lines.filter(line => line.startsWith('# HELP ')).map(line => line.split(' ')[2]))
    expect(
      series
        .map(name => name.replace(/\{.*/, '').replace(/_(bucket|sum|count)$/, ''))
        .filter(name => !explained.has(name))
    ).toEqual([])
  })

  test('uses the suffix total only for counters, as `promtool check metrics` requires', async () => {
    const types = (await scrape()).split('\n').filter(line => line.startsWith('# TYPE ')).map(line => line.split(' '))
    expect(types.filter(([, , name, type]) => name!.endsWith('_total') && type !== 'counter')).toEqual([])
    expect(types.some(([, , , type]) => type === 'counter')).toBe(true)
  })
})
