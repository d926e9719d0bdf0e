import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aDraft, aPatient, BUDGETS, eventually } from '../../../support/builders.ts'
import type { Caller } from '../../../support/caller.ts'
import { anInstance, type Instance } from '../../../support/instance.ts'
import { aCatalog, cheap, dear, idsOf, offers, openOffer, type Treatments } from '../../../support/offers.ts'

let instance: Instance
let staff: Caller
let treatments: Treatments
const { anOption, choices, line, offer } = offers(() => treatments)

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

describe('the endpoint calculates the examples of the specification', () => {
  const cases = [
    [null, '300.00', ['100.00', '200.00'], '450.00', ['100.00', '300.00', '50.00']],
    [{ type: 'percent', value: '10' }, '270.00', ['90.00', '180.00'], '405.00', ['90.00', '270.00', '45.00']],
    [{ type: 'amount', value: '30.00' }, '270.00', ['90.00', '180.00'], '420.00', ['93.33', '280.00', '46.67']]
  ] as const
  test.each(cases)('with the global discount %j', async (global_discount, least, leastLines, most, mostLines) => {
    const { ids, price, view } = await open({ global_discount })
    expect(await view()).toMatchObject({ price_from: least, price_to: most, totals: { total: least } })
    const [one, other] = [await price(cheap(ids)), await price(dear(ids))]
    expect([one.status, other.status]).toEqual([200, 200])
    expect(one.body.data).toMatchObject({ complete: true, total: least })
    expect(one.body.data.items.map((item: any) => item.price)).toEqual(leastLines)
    expect(other.body.data).toMatchObject({ complete: true, total: most })
    expect(other.body.data.items.map((item: any) => item.price)).toEqual(mostLines)
    expect(one.body.data.with[ids.b1]).toBe((await price({ ...cheap(ids), [ids.b]: ids.b1 })).body.data.total)
  })
})

describe('a draft with choices', () => {
  test('has ids, prices before the global discount, lowest and highest price, and the cheapest total, and so does its row in the list', async () => {
    const draft = await aDraft(instance, offer({ global_discount: { type: 'percent', value: '10' } }))
    expect(draft).toMatchObject({
      price_from: '270.00',
      price_to: '405.00',
      totals: { total: '270.00' },
      selection: null,
      content_digest: null,
      items: [{ price: '100.00' }],
      choices: [
        {
          title: 'The gap',
          rule: 'exactly_one',
          options: [
            { title: 'Bridge', description: null, recommended: false, price: '200.00', items: [{ price: '200.00' }] },
            { title: 'Implant', description: 'Lasts', recommended: true, price: '300.00' }
          ]
        },
        { title: 'Whitening', rule: 'at_most_one', options: [{ price: '50.00' }] }
      ]
    })
    const { body } = await staff.get(`${BUDGETS}?search=${draft.number}`)
    expect(body.data[0]).toMatchObject({ total: '270.00', price_from: '270.00', price_to: '405.00' })
  })

  test('has none of these members if the budget has no choices', async () => {
    const draft = await aDraft(instance)
    for (const key of ['choices', 'price_from', 'price_to', 'selection']) expect(draft).not.toHaveProperty(key)
    expect(draft.content_digest).toMatch(/^[0-9a-f]{64}$/)
  })

  test('keeps what a change leaves out: items, choices or the discount alone', async () => {
    const draft = await aDraft(instance, offer())
    const ids = idsOf(draft)
    const patch = async (etag: string, change: unknown) =>
      await staff.patch(`${BUDGETS}/${draft.id}`, change, { headers: { 'if-match': etag } })
    const one = await patch('"1"', { items: [line('50.00')] })
    expect(one.body.data).toMatchObject({ price_from: '250.00', price_to: '400.00' })
    expect(idsOf(one.body.data)).toEqual(ids)
    const two = await patch('"2"', { global_discount: { type: 'amount', value: '50.00' } })
    expect(two.body.data).toMatchObject({ price_from: '200.00', price_to: '350.00' })
    const [first] = two.body.data.choices
    const kept = first.options.map(({ id, title, items }: any) =>
      ({ id, title, items: items.map(({ id, treatment_id }: any) => ({ id, treatment_id })) }))
    const three = await patch('"3"', { choices: [{ id: first.id, title: 'Gap', rule: 'exactly_one', options: kept }] })
    expect(three.body.data).toMatchObject({ price_from: '200.00', price_to: '300.00' })
    expect(three.body.data.choices[0].options.map(({ id }: any) => id)).toEqual([ids.a1, ids.a2])
    expect(three.body.data.choices[0].options[0].items[0].id).toBe(kept[0].items[0].id)
    const four = await patch('"4"', { choices: null, global_discount: null })
    expect(four.body.data).toMatchObject({ totals: { total: '50.00' } })
    expect(four.body.data).not.toHaveProperty('choices')
  })

  const wrong: [string, () => Record<string, unknown>, string][] = [
    ['exactly one of a single option', () => ({ choices: [{ ...choices()[0], options: [anOption('A', '50.00')] }] }), '/choices/0/options'],
    ['two recommended options', () => ({
      choices: [{ ...choices()[0], options: [1, 2].map(n => anOption(`${n}`, '50.00', { recommended: true })) }]
    }), '/choices/0/options'],
    ['an option without lines', () => ({
      choices: [{ title: 'A', rule: 'at_most_one', options: [{ title: 'B', items: [] }] }]
    }), '/choices/0/options/0/items'],
    ['a choice without a title', () => ({ choices: [{ ...choices()[1], title: ' ' }] }), '/choices/0/title'],
    ['an id when creating', () => ({ choices: [{ ...choices()[1], id: randomUUID() }] }), '/choices/0/id'],
    ['21 choices', () => ({ choices: Array.from({ length: 21 }, () => choices()[1]) }), '/choices'],
    ['6 options', () => ({
      choices: [{ ...choices()[1], options: Array.from({ length: 6 }, () => anOption('x', '50.00')) }]
    }), '/choices/0/options'],
    ['an unknown treatment', () => ({
      choices: [{ title: 'A', rule: 'at_most_one', options: [{ title: 'B', items: [{ treatment_id: randomUUID() }] }] }]
    }), '/choices/0/options/0/items/0/treatment_id'],
    ['201 lines in all', () => ({
      items: Array.from({ length: 198 }, () => line('50.00'))
    }), '/choices']
  ]
  test.each(wrong)('is refused with 422: %s', async (_, fields, pointer) => {
    const { id } = await aPatient(staff)
    const { status, body } = await staff.post(BUDGETS, { patient_id: id, ...offer(fields()) })
    expect(status).toBe(422)
    expect(body.errors.map((error: any) => error.pointer)).toContain(pointer)
  })

  test('is refused with 422 if two changes add up to 201 lines, in the base and the options', async () => {
    const lines = Array.from({ length: 198 }, () => line('50.00'))
    const [base, chosen] = [await aDraft(instance, { items: lines }), await aDraft(instance, offer({ items: [] }))]
    const changes = [[base.id, { choices: choices() }, '/choices'], [chosen.id, { items: lines }, '/items']] as const
    for (const [id, change, pointer] of changes) {
      const { status, body } = await staff.patch(`${BUDGETS}/${id}`, change)
      expect([status, body.errors?.[0].pointer]).toEqual([422, pointer])
    }
  })

  test('refuses a change of a line that another change has moved into an option meanwhile', async () => {
    const draft = await aDraft(instance, offer())
    const [{ id, treatment_id }] = draft.items
    const options = [{ title: 'Extra', items: [{ id, treatment_id }] }]
    const moved = [{ title: 'Extra', rule: 'at_most_one', options }]
    const waiting = (n: number) =>
      eventually(async () => {
        const found = await instance.sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        return found.length === n
      }, `${n} changes that wait`)
    const answers = await instance.sql.begin(async (sql) => {
      await sql`select from budget where id = ${draft.id} for update`
      const one = staff.patch(`${BUDGETS}/${draft.id}`, { items: [], choices: moved })
      await waiting(1)
      const two = staff.patch(`${BUDGETS}/${draft.id}`, { items: [{ id, treatment_id }] })
      await waiting(2)
      return { both: Promise.all([one, two]) } // the lock ends before they do
    })
    const [one, two] = await answers.both
    expect([one.status, two.status, two.body.errors?.[0].pointer]).toEqual([200, 422, '/items/0/id'])
  })

  test('is refused with 422 if it has the id of another budget\'s option', async () => {
    const [one, other] = [await aDraft(instance, offer()), await aDraft(instance, offer())]
    const [choice] = other.choices
    const { status, body } = await staff.patch(
      `${BUDGETS}/${one.id}`,
      { choices: [{ ...choices()[0], id: choice.id }] },
      { headers: { 'if-match': '"1"' } }
    )
    expect([status, body.errors[0].pointer]).toEqual([422, '/choices/0/id'])
  })

  test('is refused if its cheapest selection is below a global amount', async () => {
    const { id } = await aPatient(staff)
    const global_discount = { type: 'amount', value: '300.01' }
    const { status, body } = await staff.post(BUDGETS, { patient_id: id, ...offer({ global_discount }) })
    expect([status, body.code]).toEqual([422, 'discount_exceeds_total'])
  })
})
