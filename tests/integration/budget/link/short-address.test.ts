import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aSentBudget, BUDGETS, type SentBudget } from '../../../support/builders.ts'
import type { Caller } from '../../../support/caller.ts'
import { anInstance, type Instance } from '../../../support/instance.ts'

let instance: Instance
let staff: Caller
beforeAll(async () => {
  // Behind one trusted proxy, so that a caller can choose its own address.
  instance = await anInstance({ env: { SVC_TRUSTED_PROXIES: '1' } })
  staff = await instance.as('receptionist')
})
afterAll(() => instance.close())
beforeEach(() => instance.sql`delete from core_rate_limit`)

const SHORT = '/api/v1/public/short-addresses'
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
const open = (code: string, address = '203.0.113.7') =>
  instance.anonymous().get(`${SHORT}/${encodeURIComponent(code)}`, from(address))
const linkOf = async ({ id }: { id: string }) => (await staff.get(`${BUDGETS}/${id}`)).body.data.link
const codeOf = async (budget: SentBudget): Promise<string> =>
  new URL((await linkOf(budget)).short_url).pathname.slice(3)

test('a short address leads to the page of the link, and returns nothing else', async () => {
  const budget = await aSentBudget(instance)
  const { short_url, url } = await linkOf(budget)
  expect(new URL(short_url).pathname).toMatch(/^\/b\/[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/)
  const { status, body, headers } = await open(await codeOf(budget))
  expect([status, body]).toEqual([200, { data: { path: new URL(url).pathname } }])
  expect(headers.get('cache-control')).toBe('no-store')
})

test('a short address is accepted in small letters, with spaces, other dashes and letters like digits', async () => {
  const budget = await aSentBudget(instance)
  const code = await codeOf(budget)
  const bare = code.replace('-', '')
  const typed = [
    code.toLowerCase(),
    bare,
    ` ${bare.slice(0, 2)} ${bare.slice(2)} `,
    code.replace('-', '–'),
    code.replaceAll('0', 'o').replaceAll('1', 'l'),
    code.replaceAll('0', 'O').replaceAll('1', 'I')
  ]
  for (const text of typed) expect((await open(text)).status, text).toBe(200)
})

test('unknown, malformed, ended and erased short addresses get the same answer', async () => {
  const renewed = await aSentBudget(instance)
  const ended = await codeOf(renewed)
  await staff.post(`${BUDGETS}/${renewed.id}/resend`, { channel: 'manual', new_link: true })
  expect(await codeOf(renewed)).not.toBe(ended)

  const erased = await aSentBudget(instance)
  const gone = await codeOf(erased)
  const { patient } = (await staff.get(`${BUDGETS}/${erased.id}`)).body.data
  await staff.post(`${BUDGETS}/${erased.id}/cancel`, { reason: 'Not needed.' })
  const erasure = await (await instance.as('admin')).post(`/api/v1/clinic/persons/${patient.id}/erase`, { dry_run: false })
  expect(erasure.status).toBe(200)

  const answers = await Promise.all(['ZZZZ-ZZZZ', 'x', '%00', 'A'.repeat(500), '🦷', ended, gone].map(code => open(code)))
  const told = ({ body }: { body: object }) => ({ ...body, instance: null, request_id: null })
  for (const answer of answers) {
    expect([answer.status, answer.body.code]).toEqual([404, 'link_not_found'])
    expect(told(answer)).toEqual(told(answers[0]!))
  }
})

test('a short address that SQL moved, copied or made opens nothing', async () => {
  const [mine, other] = [await aSentBudget(instance), await aSentBudget(instance)]
  const code = await codeOf(mine)
  await instance.sql`update budget_link set short_hash = null where budget_id = ${mine.id}`.catch(() => {})
  await instance.sql`
    update budget_link set short_hash = null, short_seal = null, short_sealed = null where budget_id = ${other.id}`
  const before = await instance.sql`select short_seal, short_sealed from budget_link where budget_id = ${mine.id}`
  const { shortLookUps } = await import('../../../../layers/budget/server/services/link/row-seals.ts')
  const [hash] = shortLookUps(instance.runtime.host.secrets, code.replace('-', ''))
  await instance.sql`
    update budget_link set short_hash = ${hash!}, short_seal = ${before[0]!.short_seal},
      short_sealed = ${before[0]!.short_sealed} where budget_id = ${other.id}`
  expect((await open(code)).status).toBe(404)
  expect((await linkOf(other)).short_url).toBeNull()
})

describe('wrong short addresses are limited', () => {
  test('to 20 an hour for an address, while right ones are not counted', async () => {
    const code = await codeOf(await aSentBudget(instance))
    for (let count = 0; count < 20; count++) expect((await open('ZZZZ-ZZZZ')).status).toBe(404)
    const refused = await open(code)
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    for (let count = 0; count < 25; count++) expect((await open(code, '203.0.113.8')).status).toBe(200)
  })

  test('to 5000 an hour for all addresses together', async () => {
    expect((await open('ZZZZ-ZZZZ', '203.0.113.9')).status).toBe(404)
    await instance.sql`update core_rate_limit set points = 5000 where key like '%short-all%'`
    expect((await open('ZZZZ-ZZZZ', '203.0.113.10')).status).toBe(429)
  })
})
