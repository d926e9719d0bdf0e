import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, BUDGETS } from '../../../support/builders.ts'
import type { Caller } from '../../../support/caller.ts'
import { anInstance, type Instance } from '../../../support/instance.ts'
import { aCatalog, cheap, dear, idsOf, offers, openOffer, type Treatments } from '../../../support/offers.ts'

let instance: Instance
let staff: Caller
let treatments: Treatments
const { choices, offer } = offers(() => treatments)

beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('admin')
  treatments = await aCatalog(staff)
})
afterAll(() => instance.close())

async function open(fields: Record<string, unknown> = {}) {
  const opened = await openOffer(instance, offer(fields))
  return { ...opened, ids: idsOf(await opened.view()) }
}

describe('an acceptance', () => {
  test('has the selection: view, detail, record, event and totals agree', async () => {
    const { budget, ids, price, accept, view } = await open({ global_discount: { type: 'amount', value: '30.00' } })
    const selection = { [ids.a]: ids.a2, [ids.b]: ids.b1 }
    const priced = (await price(selection)).body.data
    const { status } = await accept({ selection, content_digest: priced.content_digest })
    expect(status).toBe(200)

    const seen = await view()
    expect(seen).toMatchObject({
      status: 'accepted',
      selection,
      totals: { total: '420.00' },
      content_digest: priced.content_digest,
      items: [{ price: '93.33' }],
      choices: [
        { options: [{ items: [] }, { items: [{ price: '280.00' }] }] },
        { options: [{ items: [{ price: '46.67' }] }] }
      ]
    })
    const detail = (await staff.get(`${BUDGETS}/${budget.id}`)).body.data
    expect(detail).toMatchObject({ selection, totals: { total: '420.00' }, proof_faults: [] })
    expect(detail).toMatchObject({ price_from: '270.00', price_to: '420.00' })

    const [record] = await instance.sql`select content, content_digest from budget_signature where budget_id = ${budget.id}`
    const content = JSON.parse(record!.content)
    expect(content).toMatchObject({ selection, totals: { total: '420.00' }, offer: { price_from: '270.00' } })
    expect(content.items.map((item: any) => item.price)).toEqual(['93.33', '280.00', '46.67'])
    expect(content.offer.choices[0].options.map((option: any) => option.title)).toEqual(['Bridge', 'Implant'])
    expect(record!.content_digest).toBe(priced.content_digest)

    const [event] = await instance.sql`
      select payload from core_event where name = 'budget.accepted' and payload->>'budget_id' = ${budget.id}`
    expect(event!.payload).toMatchObject({
      total: '420.00',
      selection,
      not_chosen: [{ choice_id: ids.a, option_id: ids.a1, title: 'Bridge', total: '200.00' }]
    })
    expect(event!.payload.items.map((item: any) => item.price)).toEqual(['93.33', '280.00', '46.67'])
  })

  test('with a missing or unknown answer, or without any selected line, is 422 `selection_incomplete` with pointers', async () => {
    const { ids, accept, price } = await open()
    const { content_digest } = (await price(cheap(ids))).body.data
    const cases: [unknown, string[]][] = [
      [{ [ids.a]: null, [ids.b]: null }, [`/selection/${ids.a}`]],
      [{ [ids.b]: null }, [`/selection/${ids.a}`]],
      [{ [ids.a]: ids.a1 }, [`/selection/${ids.b}`]],
      [{ ...cheap(ids), [ids.b]: ids.a1 }, [`/selection/${ids.b}`]],
      [{ ...cheap(ids), other: null }, ['/selection/other']],
      [null, [`/selection/${ids.a}`, `/selection/${ids.b}`]],
      [undefined, [`/selection/${ids.a}`, `/selection/${ids.b}`]]
    ]
    for (const [selection, pointers] of cases) {
      const { status, body } = await accept({ selection, content_digest })
      expect([status, body.code, body.errors.map((error: any) => error.pointer)]).toEqual([
        422,
        'selection_incomplete',
        pointers
      ])
    }
    const empty = await openOffer(instance, { items: [], choices: [choices()[1]] })
    const { body } = await empty.accept({ selection: { [(await empty.view()).choices[0].id]: null }, content_digest })
    expect([body.code, body.errors[0].pointer]).toEqual(['selection_incomplete', '/selection'])
  })

  test('with more than 100 unknown answers names 100 of them', async () => {
    const { price } = await open()
    const answers = Array.from({ length: 1000 }, (_, n) => [`other-${n}`, null])
    const { status, body } = await price(Object.fromEntries(answers))
    expect([status, body.code, body.errors.length]).toEqual([422, 'selection_incomplete', 100])
  })

  test('without a digest is 422 at /content_digest, with that of another selection 409 `content_changed`', async () => {
    const { ids, accept, price } = await open()
    const none = await accept({ selection: cheap(ids) })
    expect([none.status, none.body.code, none.body.errors[0].pointer]).toEqual([
      422,
      'validation_failed',
      '/content_digest'
    ])
    const { content_digest } = (await price(dear(ids))).body.data
    const other = await accept({ selection: cheap(ids), content_digest })
    expect([other.status, other.body.code]).toEqual([409, 'content_changed'])
  })

  test('is still possible when the session has used up its 120 prices a minute and gets 429', async () => {
    const { ids, price, accept } = await open()
    const answers = []
    for (let asked = 0; asked < 121; asked++) answers.push(await price(cheap(ids)))
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(120).fill(200), 429])
    const { content_digest } = answers[0]!.body.data
    expect((await accept({ selection: cheap(ids), content_digest })).status).toBe(200)
  })

  test('with any `selection`, even `{}` and null, is 422 for a budget without choices', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    for (const selection of [{}, null, { [randomUUID()]: null }]) {
      const { status, body } = await patient.post(`${budget.base}/accept`, { ...ACCEPTANCE, selection })
      expect([status, body.errors[0].pointer]).toEqual([422, '/selection'])
    }
    expect((await patient.post(`${budget.base}/price`, { selection: {} })).status).toBe(422)
  })

  test('succeeds for one of fifty at once with different selections, and that one is shown everywhere', async () => {
    const { budget, ids, accept, price, view } = await open()
    const all = [null, ids.b1].flatMap(b => [ids.a1, ids.a2].map(a => ({ [ids.a]: a, [ids.b]: b })))
    const digests = await Promise.all(all.map(async one => (await price(one)).body.data.content_digest))
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => accept({ selection: all[n % 4], content_digest: digests[n % 4] }))
    )
    const winner = answers.findIndex(({ status }) => status === 200)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'already_decided')).toHaveLength(49)
    const { selection, content_digest } = await view()
    expect({ selection, content_digest }).toEqual({ selection: all[winner % 4], content_digest: digests[winner % 4] })
    const [row] = await instance.sql`select selection, total from budget where id = ${budget.id}`
    expect(row!.selection).toEqual(selection)
    const [event] = await instance.sql`
      select payload from core_event where name = 'budget.accepted' and payload->>'budget_id' = ${budget.id}`
    expect(event!.payload).toMatchObject({ selection, content_digest })
  })

  test('in the clinic has the selection in the same way', async () => {
    const budget = await aSentBudget(instance, offer())
    const at = `${BUDGETS}/${budget.id}`
    const ids = idsOf((await staff.get(at)).body.data)
    const { body } = await staff.post(`${at}/price`, { selection: cheap(ids) })
    const content_digest = body.data.content_digest
    const bare = await staff.post(`${at}/accept-in-clinic`, ACCEPTANCE)
    expect(bare.body.code).toBe('selection_incomplete')
    const { status } = await staff.post(`${at}/accept-in-clinic`, { ...ACCEPTANCE, selection: cheap(ids), content_digest })
    expect(status).toBe(200)
    expect((await staff.get(at)).body.data).toMatchObject({ totals: { total: '300.00' }, proof_faults: [] })
  })
})

describe('the price of a selection', () => {
  test('can be requested with answers missing, returns the total with each option, and changes nothing', async () => {
    const { budget, ids, patient, price } = await open()
    const { body } = await price({ [ids.a]: null, [ids.b]: ids.b1 })
    expect(body.data).toMatchObject({ complete: false, total: '150.00', content_digest: null })
    expect(body.data.with).toEqual({ [ids.a1]: '350.00', [ids.a2]: '450.00', [ids.b1]: '150.00' })
    const before = await aSentBudget(instance, offer())
    const fresh = await aVerifiedPatient(instance, before)
    const other = idsOf((await staff.get(`${BUDGETS}/${before.id}`)).body.data)
    await fresh.post(`${before.base}/price`, { selection: cheap(other) })
    const [row] = await instance.sql`select viewed_at from budget where id = ${before.id}`
    expect(row!.viewed_at).toBeNull()
    expect((await price({ [ids.a]: randomUUID() })).body.code).toBe('selection_incomplete')
    expect((await instance.anonymous().post(`${budget.base}/price`, { selection: {} })).status).toBe(401)
    await patient.post(`${budget.base}/reject`, { reason: 'Too dear' })
    expect((await price(cheap(ids))).body.code).toBe('already_decided')
  })
})

test('a selection with a member __proto__ is 422, like one with any other unknown key, and the member is not dropped', async () => {
  const { budget, patient } = await open()
  for (const name of ['__proto__', 'constructor', 'toString']) {
    for (const path of ['price', 'accept']) {
      const raw = `{${path === 'accept' ? `${JSON.stringify(ACCEPTANCE).slice(1, -1)},` : ''}"selection":{"${name}":"x"}}`
      const { status, body } = await patient.post(`${budget.base}/${path}`, undefined, { raw })
      expect([name, path, status, body.errors?.[0].pointer]).toEqual([name, path, 422, `/selection/${name}`])
    }
  }
})

test('what was sent is immutable in SQL too: choices, options of lines, both ends of the price, selection', async () => {
  const { budget, ids } = await open()
  const { sql } = instance
  await expect(sql`update budget set choices = '[]' where id = ${budget.id}`).rejects.toThrow('immutable')
  await expect(sql`update budget set price_to = 1 where id = ${budget.id}`).rejects.toThrow('immutable')
  await expect(sql`update budget set total = 1 where id = ${budget.id}`).rejects.toThrow('immutable')
  await expect(
    sql`update budget set selection = ${sql.json(dear(ids))} where id = ${budget.id}`
  ).rejects.toThrow('gets its selection when it is accepted')
  await expect(sql`update budget_item set option_id = null where budget_id = ${budget.id}`).rejects.toThrow('immutable')
})

test('a line that SQL moved to another option is not shown', async () => {
  const { budget, ids, patient } = await open()
  await instance.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`update budget_item set option_id = ${ids.a1} where budget_id = ${budget.id} and option_id = ${ids.a2}`
  })
  expect((await patient.get(budget.base)).body.code).toBe('content_tampered')
})

test('a revision and a copy have the whole offer with new ids, also after an acceptance', async () => {
  const { budget, ids, accept, price } = await open()
  const revised = (await staff.post(`${BUDGETS}/${budget.id}/revise`)).body.data
  expect(revised).toMatchObject({ price_from: '300.00', price_to: '450.00', selection: null })
  const own = idsOf(revised)
  for (const id of Object.values(ids)) expect(Object.values(own)).not.toContain(id)
  await staff.delete(`${BUDGETS}/${revised.id}`)
  const { content_digest } = (await price(dear(ids))).body.data
  await accept({ selection: dear(ids), content_digest })
  const copy = (await staff.post(`${BUDGETS}/${budget.id}/duplicate`)).body.data
  expect(copy).toMatchObject({ price_from: '300.00', price_to: '450.00', selection: null, totals: { total: '300.00' } })
  expect(copy.choices[0].options.map((option: any) => option.items.length)).toEqual([1, 1])
})
