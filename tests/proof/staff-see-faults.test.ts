import type { TransactionSql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACCEPTANCE, aPatient, aSentBudget, aVerifiedPatient, BUDGETS, type SentBudget } from '../support/builders.ts'
import type { Caller } from '../support/caller.ts'
import { anInstance, type Instance } from '../support/instance.ts'

let instance: Instance
let staff: Caller
let stranger: { id: string }
beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('admin')
  stranger = await aPatient(staff, { first_name: 'Bruno', last_name: 'Vela', email: 'bruno@patient.test' })
})
afterAll(() => instance.close())

async function accepted(): Promise<SentBudget> {
  const budget = await aSentBudget(instance)
  expect((await (await aVerifiedPatient(instance, budget)).post(`${budget.base}/accept`, ACCEPTANCE)).status).toBe(200)
  return budget
}
const faultsOf = async (id: string) => {
  const { status, body } = await staff.get(`${BUDGETS}/${id}`)
  expect([status, body.code]).toEqual([200, undefined])
  return body.data.proof_faults as string[]
}
/** Changes rows as the owner of the database can, without firing triggers. */
const bySql = (change: (tx: TransactionSql) => Promise<unknown>) => instance.sql.begin(async (tx) => {
  await tx`set local session_replication_role = replica`
  await change(tx)
})

describe('the staff\'s page of a budget opens and reports what is wrong, at once', () => {
  test.each(['token_hash', 'token_seal', 'token_sealed', 'short_hash', 'short_seal', 'code_hash', 'code_seal'])(
    'after SQL has changed %s of the budget\'s link',
    async (column) => {
      const { id } = await aSentBudget(instance)
      expect(await faultsOf(id)).toEqual([])
      const isText = column === 'token_sealed' || column === 'code_hash'
      await bySql(tx => isText
        ? tx`update budget_link set ${tx(column)} = 'AAAA' where budget_id = ${id}`
        : tx`update budget_link set ${tx(column)} = '\\x00' where budget_id = ${id}`)
      expect(await faultsOf(id)).toEqual(['link_changed'])
    }
  )

  test('after SQL has copied the link of another budget into its row', async () => {
    const [one, other] = [await aSentBudget(instance), await aSentBudget(instance)]
    await bySql(tx => tx`update budget_link set token_hash = null where budget_id = ${other.id}`)
    await bySql(tx => tx`update budget_link set token_sealed = (select token_sealed from budget_link where budget_id = ${other.id})
      where budget_id = ${one.id}`)
    expect(await faultsOf(one.id)).toEqual(['link_changed'])
    expect(await faultsOf(other.id)).toEqual(['link_changed'])
  })

  test.each([
    ['patient_id', () => stranger.id],
    ['created_by', async () => (await (await instance.as('dentist')).get('/me')).body.data.user.id],
    ['created_by', () => null]
  ])('after SQL has changed %s of an accepted budget that was just viewed', async (column, value) => {
    const { id } = await accepted()
    expect(await faultsOf(id)).toEqual([])
    const to = await value()
    await bySql(tx => tx`update budget set ${tx(column)} = ${to} where id = ${id}`)
    expect(await faultsOf(id)).toEqual(expect.arrayContaining(['content_tampered', 'signature_changed']))
  })

  test('after SQL has changed the record, the lines or the log of a budget that was just viewed', async () => {
    const changes: [string, (tx: TransactionSql, id: string) => Promise<unknown>][] = [
      ['signature_changed', (tx, id) => tx`update budget_signature set signer_name = 'Bruno Vela' where budget_id = ${id}`],
      ['content_tampered', (tx, id) => tx`update budget_item set unit_price = unit_price + 1 where budget_id = ${id}`],
      ['log_chain_broken', (tx, id) => tx`update budget_access_log set success = not success where budget_id = ${id} and seq = 2`],
      ['log_chain_broken', (tx, id) => tx`delete from budget_access_log where budget_id = ${id} and seq = 2`]
    ]
    for (const [code, change] of changes) {
      const { id } = await accepted()
      expect(await faultsOf(id)).toEqual([])
      await bySql(tx => change(tx, id))
      expect(await faultsOf(id)).toContain(code)
    }
  })
})

describe('a link that SQL has changed', () => {
  test('shows no address and is not resent, and can be replaced by a new one', async () => {
    const { id, code } = await aSentBudget(instance)
    await bySql(tx => tx`update budget_link set token_hash = '\\x01' where budget_id = ${id}`)
    expect((await staff.get(`${BUDGETS}/${id}`)).body.data.link)
      .toMatchObject({ state: 'active', url: null, short_url: null, has_code: true })
    expect(await staff.post(`${BUDGETS}/${id}/resend`, { channel: 'manual' })).toMatchObject({
      status: 409,
      body: {
        code: 'wrong_state',
        detail: 'The link was changed directly in the database and opens nothing. Send a new link.'
      }
    })
    const { body } = await staff.post(`${BUDGETS}/${id}/resend`, { channel: 'manual', new_link: true })
    const base = `/api/v1/public/budgets/${body.data.url.split('/').at(-1)}`
    expect((await instance.anonymous().post(`${base}/verify`, { code })).status).toBe(200)
    expect(await faultsOf(id)).toEqual([])
  })
})
