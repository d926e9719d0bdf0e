import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, BUDGETS, type SentBudget } from '../../../support/builders.ts'
import { anInstance, type Instance } from '../../../support/instance.ts'
import { writeModule, type ModuleFiles } from '../../../support/modules/modules.ts'
import { schedule } from '../../../support/modules/packages.ts'

const BELOW = 'public/budgets/[token]/x'
const anEndpoint = (fields = '') => `{
  access: 'budget.link',
  summary: 'Say who asks.',
  response: { safeParse: data => ({ success: true, data }) },
  handle: ({ request }) => request.session,
  ${fields}
}`
const DEPOSITS: ModuleFiles = {
  depends: ['budget'],
  endpoints: {
    [`${BELOW}/deposits/session.get.js`]: anEndpoint(),
    [`${BELOW}/deposits/payments/index.post.js`]: anEndpoint(),
    // A plain link on the page that leads on to the provider.
    [`${BELOW}/deposits/pay.get.js`]: `{
      access: 'budget.link',
      summary: 'To the payment page.',
      handle: (_, ctx) => ctx.reply({ status: 303, headers: { location: 'https://pay.example/1' } })
    }`
  }
}

let instance: Instance
const put = (name: string, files: ModuleFiles) =>
  writeModule(join(instance.storage, `modules/node_modules/svc-module-${name}`), name, files)

beforeAll(async () => {
  instance = await anInstance()
  put('deposits', DEPOSITS)
  await schedule(instance, 'install', 'deposits')
  await instance.restart()
})
afterAll(() => instance.close())

async function openBudget() {
  const budget = await aSentBudget(instance)
  return { budget, patient: await aVerifiedPatient(instance, budget) }
}
const at = ({ base }: SentBudget) => `${base}/x/deposits/session`

describe('an endpoint of a module below the patient’s link', () => {
  test('gets the session that the code opened, because its cookie covers the path', async () => {
    const { budget, patient } = await openBudget()
    const [row] = await instance.sql`select clinic_id, patient_id, version from budget where id = ${budget.id}`
    const session = { ...row, budget_id: budget.id }
    expect((await patient.get(at(budget))).body.data).toEqual(session)
    expect((await patient.post(`${budget.base}/x/deposits/payments`)).body.data).toEqual(session)
    const { status, headers } = await patient.get(`${budget.base}/x/deposits/pay`)
    expect([status, headers.get('location'), headers.get('referrer-policy'), headers.get('cache-control')])
      .toEqual([303, 'https://pay.example/1', 'no-referrer', 'no-store'])
  })

  test('is closed without a code, and a person who follows a link is sent to the page that asks for it', async () => {
    const { budget } = await openBudget()
    const stranger = instance.anonymous()
    expect((await stranger.get(at(budget))).body).toMatchObject({ status: 401, code: 'code_required' })
    const { status, headers } = await stranger.get(at(budget), { headers: { accept: 'text/html' } })
    expect([status, headers.get('location')]).toEqual([303, `/p/budget/${budget.token}`])
    expect((await (await instance.as('admin')).get(at(budget))).body.code).toBe('code_required')
  })

  test('is closed to the session of another budget', async () => {
    const [{ patient }, { budget: other }] = [await openBudget(), await openBudget()]
    const { value } = [...patient.cookies.values()][0]!
    const cookie = `budget_session=${value}`
    const { body } = await instance.anonymous().get(at(other), { headers: { cookie } })
    expect(body).toMatchObject({ status: 401, code: 'code_required' })
  })

  test('is closed when the session has ended, and 404 when the link has', async () => {
    const { budget, patient } = await openBudget()
    const age = (minutes: number) => instance.sql`
      update budget_session set last_used_at = now() - ${minutes} * interval '1 minute' where budget_id = ${budget.id}`
    await age(31)
    expect((await patient.get(at(budget))).body).toMatchObject({ status: 401, code: 'code_required' })
    await age(0)
    expect((await patient.get(at(budget))).status).toBe(200)
    const staff = await instance.as('admin')
    await staff.post(`${BUDGETS}/${budget.id}/resend`, { channel: 'manual', new_link: true })
    expect((await patient.get(at(budget))).body).toMatchObject({ status: 404, code: 'link_not_found' })
    expect((await patient.get('/api/v1/public/budgets/unknown/x/deposits/session')).body.code).toBe('link_not_found')
  })

  test('stays open after the decision, for example for a payment', async () => {
    const { budget, patient } = await openBudget()
    await patient.post(`${budget.base}/accept`, ACCEPTANCE)
    expect((await patient.get(at(budget))).body.data).toMatchObject({ budget_id: budget.id })
  })

  test('cannot be used by another site', async () => {
    const { budget, patient } = await openBudget()
    const headers = { origin: 'https://evil.test' }
    expect((await patient.post(`${budget.base}/x/deposits/payments`, undefined, { headers })).body.code)
      .toBe('cross_origin')
  })

  test('counts with all public endpoints for the limit of an address', async () => {
    const { budget, patient } = await openBudget()
    const { headers } = await patient.get(at(budget))
    expect(headers.get('ratelimit-policy')).toBe('"public";q=600;w=60')
    await instance.sql`update core_rate_limit set points = 600 where key like 'public:%'`
    expect((await patient.get(at(budget))).body).toMatchObject({ status: 429, code: 'too_many_requests' })
    await instance.sql`delete from core_rate_limit`
  })

  test('is in the API document with its cookie and its refusals', async () => {
    const { paths } = (await instance.anonymous().get('/api/v1/openapi.json')).body
    const { get, post } = { ...paths['/api/v1/public/budgets/{token}/x/deposits/session'], ...paths['/api/v1/public/budgets/{token}/x/deposits/payments'] }
    expect(get.security).toEqual([{ budget_session: [] }])
    expect(get.responses['401'].description).toContain('code_required')
    expect(get.responses['404'].description).toContain('link_not_found')
    expect(Object.keys(get.responses)).not.toContain('403')
    expect(post.parameters.map(({ name }: { name: string }) => name)).toEqual(['token'])
  })
})

describe('a package', () => {
  /** Every reason of a refusal. */
  const reasons = (name: string): Promise<string[]> => schedule(instance, 'install', name).then(
    () => { throw new Error('it was not refused') },
    (error: { fields: { reasons: string[] } }) => error.fields.reasons)
  const started = async (name: string, files: ModuleFiles) => {
    put(name, files)
    await schedule(instance, 'install', name)
    await instance.restart()
    const [row] = await instance.sql`select error_message from core_module where name = ${name}`
    return row!.error_message as string | null
  }

  test.each([
    ['a path of the page itself', ['budget'], 'public/budgets/[token]/pay.get.js'],
    ['the folder of another module', ['budget'], `${BELOW}/deposits/other.get.js`],
    ['another name of the parameter', ['budget'], 'public/budgets/[id]/x/sly/pay.get.js'],
    ['no dependency on the owner', [], `${BELOW}/sly/pay.get.js`]
  ])('with an endpoint below the page and %s is refused at install', async (_, depends, file) => {
    put('sly', { depends, endpoints: { [file]: anEndpoint() } })
    const path = `/api/v1/${file.replace(/\.get\.js$/, '').replace(/\[(\w+)\]/, ':$1')}`
    const places = ['/api/v1/sly/', '/api/v1/public/sly/', ...depends.map(() => '/api/v1/public/budgets/:token/x/sly/')]
    expect(await reasons('sly')).toEqual([
      `sly has endpoints of others: the path ${path} does not start with ${places.join(' or ')}`
    ])
  })

  test('with another access below the page does not start', async () => {
    const endpoints = { [`${BELOW}/open/pay.get.js`]: anEndpoint().replace('budget.link', 'none') }
    expect(await started('open', { depends: ['budget'], endpoints }))
      .toContain('get /api/v1/public/budgets/:token/x/open/pay: at this path access is \'budget.link\'')
  })

  test('with the access of the page elsewhere does not start', async () => {
    expect(await started('away', { depends: ['budget'], endpoints: { 'public/away/pay.get.js': anEndpoint() } }))
      .toContain('get /api/v1/public/away/pay: access \'budget.link\' is not offered here; '
        + '\'budget.link\' is for paths below /api/v1/public/budgets/:token/x')
  })

  test('with an unknown access does not start', async () => {
    const endpoints = { 'lost/pay.get.js': anEndpoint().replace('budget.link', 'clinical.link') }
    expect(await started('lost', { depends: ['clinical'], endpoints }))
      .toMatch(/get \/api\/v1\/lost\/pay: access 'clinical.link' is not offered here$/)
  })

  test('whose entry lacks an access of its manifest does not start', async () => {
    expect(await started('opener', { svc: { accesses: { link: 'public/opener/[token]/x' } } }))
      .toContain('the entry has no function for the access link, which the manifest names')
  })
})
