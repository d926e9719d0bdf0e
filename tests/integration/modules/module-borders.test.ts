import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, eventually } from '../../support/builders.ts'
import { INVOICES } from '../../support/documents/invoices.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { writeModule } from '../../support/modules/modules.ts'
import { schedule } from '../../support/modules/packages.ts'

/** A hostile module that forges events, and needs unchanged settings of the clinic. */
const FORGER = {
  depends: ['budget'],
  migrations: {
    '0000_seal.sql': 'create table forger_seal (word text not null, mac bytea not null);',
    '0000_seal.down.sql': 'drop table forger_seal;'
  },
  code: `export default {
    on: { 'forger.made': ({ payload }, ctx) => ctx.log.info('forger.heard', payload) },
    hooks: {
      before_clinic_change: async (_ctx, { change }) => [
        ...change.phone === '1' ? [{ field: 'phone', reason: 'The forger prints it.' }] : [],
        ...change.retention ? [{ field: 'retention.audit_months', reason: 'The forger reads it.' }] : []
      ]
    }
  }`,
  endpoints: {
    'forger/seals.post.js': `{
      access: 'session',
      summary: 'Seal a word, and find it again by its seals.',
      body: { safeParse: data => ({ success: true, data }) },
      response: { safeParse: data => ({ success: true, data }) },
      async handle({ body: { word } }, ctx) {
        await ctx.sql\`insert into forger_seal (word, mac) values (\${word}, \${ctx.secrets.mac('forger word', word)})\`
        const macs = ctx.secrets.macs('forger word', word)
        return await ctx.sql\`select word from forger_seal where mac in \${ctx.sql(macs)}\`
      }
    }`,
    'public/forger/hook.post.js': `{
      access: 'none',
      summary: 'A provider\\'s call, whose signature is over the bytes.',
      raw_body: ['application/json'],
      response: { safeParse: data => ({ success: true, data }) },
      handle: ({ body: { type, bytes } }) => ({ type, text: bytes.toString() })
    }`,
    'forger/events.post.js': `{
      access: 'session',
      summary: 'Publish an event of any name.',
      body: { safeParse: data => ({ success: true, data }) },
      async handle({ body: { name, budget_id }, request }, ctx) {
        const { clinic_id } = request.actor
        await ctx.db.transaction(tx => ctx.events.publish(tx, name, { clinic_id, budget_id }))
      }
    }`
  }
}

let instance: Instance
beforeAll(async () => {
  instance = await anInstance()
  writeModule(join(instance.storage, 'modules/node_modules/svc-module-forger'), 'forger', FORGER)
  await schedule(instance, 'install', 'forger')
  await instance.restart()
})
afterAll(() => instance.close())

const invoicesOf = async ({ id }: { id: string }) =>
  (await (await instance.as('admin')).get(`${INVOICES}?budget_id=${id}`)).body.total

describe('events', () => {
  test('of another module can\'t be published to make it draft an invoice: foreign_event', async () => {
    const budget = await aSentBudget(instance)
    const staff = await instance.as('admin')
    for (const name of ['budget.accepted', 'person.erased', 'forger', 'forgery.made', 'made']) {
      const { status, body } = await staff.post('/api/v1/forger/events', { name, budget_id: budget.id })
      expect([name, status, body.code]).toEqual([name, 500, 'foreign_event'])
    }
    expect(await instance.sql`select 1 from core_event where name in ('budget.accepted', 'forgery.made')`).toEqual([])
    expect((await staff.post('/api/v1/forger/events', { name: 'forger.made' })).status).toBe(204)
    expect(await invoicesOf(budget)).toBe(0)
  })

  const publish = async (name: string, { id }: { id: string }) => {
    const { host } = instance.runtime
    await host.events.publish(host.db, name, { clinic_id: instance.clinic.id, budget_id: id }, { key: id })
    await eventually(async () => {
      const pending = await instance.sql`select 1 from core_delivery where module_name = 'billing' and status = 'pending'`
      return pending.length === 0
    }, 'the delivery')
  }

  test('are verified by billing: a budget that is not accepted gets no invoice', async () => {
    const budget = await aSentBudget(instance)
    await publish('budget.accepted', budget)
    expect(await invoicesOf(budget)).toBe(0)
  })

  test('are verified by billing: a draft is kept unless the budget itself has the withdrawal', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    await patient.post(`${budget.base}/accept`, ACCEPTANCE)
    await eventually(async () => await invoicesOf(budget) === 1, 'the draft')
    await publish('budget.withdrawn', budget)
    const [invoice] = await instance.sql`select status from billing_invoice where budget_id = ${budget.id}`
    expect(invoice).toEqual({ status: 'draft' })
  })
})

describe('a veto on a setting', () => {
  test('returns setting_vetoed with the field and the module’s reason', async () => {
    const admin = await instance.as('admin')
    const { status, body } = await admin.patch('/api/v1/clinic', {
      phone: '1',
      retention: { audit_months: 12 },
      registration: 'x'
    })
    expect([status, body.code, body.errors]).toEqual([
      409,
      'setting_vetoed',
      [
        { pointer: '/phone', message: 'The forger prints it.' },
        { pointer: '/retention/audit_months', message: 'The forger reads it.' }
      ]
    ])
    expect((await admin.get('/api/v1/clinic')).body.data).toMatchObject({ phone: null, registration: null })
    expect((await admin.post('/api/v1/clinic/preview', { phone: '1' })).body.code).toBe('setting_vetoed')
  })

  test('keeps its own code beside currency_locked, which is returned if only the currency is locked', async () => {
    const admin = await instance.as('admin')
    await aSentBudget(instance)
    const both = await admin.patch('/api/v1/clinic', { phone: '1', currency: 'JPY' })
    expect([both.body.code, both.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()]).toEqual([
      'setting_vetoed',
      expect.arrayContaining(['/currency', '/phone'])
    ])
    expect((await admin.patch('/api/v1/clinic', { currency: 'JPY' })).body.code).toBe('currency_locked')
  })
})

describe('endpoints, as docs/modules/endpoints.md describes them,', () => {
  test('find a row by the seals under the current and the previous secrets: in ${ctx.sql(macs)}', async () => {
    const staff = await instance.as('admin')
    await staff.post('/api/v1/forger/seals', { word: 'other' })
    expect((await staff.post('/api/v1/forger/seals', { word: 'sesame' })).body.data).toEqual([{ word: 'sesame' }])
  })

  test('get the bytes of a JSON body unchanged with raw_body', async () => {
    const raw = '{ "b": 1,  "a": 2 }'
    const { body } = await instance.anonymous().post('/api/v1/public/forger/hook', undefined, { raw })
    expect(body.data).toEqual({ type: 'application/json', text: raw })
  })
})
