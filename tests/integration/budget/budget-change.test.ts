import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aDraft, aPatient, aProfessional, aTreatment, BUDGETS } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

let instance: Instance
let staff: Caller

beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('admin')
})
afterAll(() => instance.close())

/** Moves a draft into a state through the transitions of the state table, without a link. */
async function aBudgetIn(status: string, fields: Record<string, unknown> = {}): Promise<any> {
  const draft = await aDraft(instance, fields)
  if (status === 'draft') return draft
  const expires = new Date(Date.now() + 86_400_000)
  await instance.sql`update budget set status = 'sent', sent_at = now(), valid_until = current_date + 1, expires_at = ${expires} where id = ${draft.id}`
  if (status !== 'sent')
    await instance.sql`update budget set status = ${status}, decided_at = case when ${status} in ('accepted', 'rejected') then now() end where id = ${draft.id}`
  return draft
}
const STATES = ['sent', 'accepted', 'rejected', 'expired', 'cancelled', 'superseded']

describe('changing a draft', () => {
  it('replaces all lines, clears what is null, and keeps what is left out', async () => {
    const draft = await aDraft(instance, {
      patient_notes: 'as before',
      internal_notes: 'gone',
      global_discount: { type: 'percent', value: '10' }
    })
    const treatment = await aTreatment(staff, { unit_price: '20.00', vat: '0' })
    const { body, status, headers } = await staff.patch(`${BUDGETS}/${draft.id}`, {
      items: [{ treatment_id: treatment.id }, { treatment_id: treatment.id, quantity: 3 }],
      internal_notes: null
    })
    expect([status, headers.get('etag')]).toEqual([200, '"2"'])
    expect(body.data).toMatchObject({
      patient_notes: 'as before',
      internal_notes: null,
      number: draft.number,
      totals: { original: '80.00', total: '72.00' }
    })
    expect(body.data.items.map((item: any) => item.price)).toEqual(['18.00', '54.00'])
  })

  it('reprices the lines for a new global discount, and keeps their ids', async () => {
    const draft = await aDraft(instance)
    const { body } = await staff.patch(`${BUDGETS}/${draft.id}`, {
      global_discount: { type: 'amount', value: '21.00' }
    })
    expect(body.data.totals.total).toBe('100.00')
    expect(body.data.items[0]).toMatchObject({
      id: draft.items[0].id,
      price: '100.00',
      original_price: '121.00',
      discounted: true
    })
    expect((await staff.patch(`${BUDGETS}/${draft.id}`, { global_discount: null })).body.data.totals.total).toBe(
      '121.00'
    )
  })

  describe('after the catalog changed', () => {
    /** A draft with one line, whose treatment got another price, name and tax since. */
    async function aStaleDraft() {
      const treatment = await aTreatment(staff, { unit_price: '50.00', vat: '21' })
      const draft = await aDraft(instance, { items: [{ treatment_id: treatment.id, unit_price: '40.00' }] })
      const change = (fields: Record<string, unknown>) =>
        staff.patch(`/api/v1/catalog/treatments/${treatment.id}`, fields)
      await change({
        code: `${treatment.code}-B`,
        name: { en: 'Renamed', es: 'Renombrado' },
        unit_price: '999.00',
        vat: '0'
      })
      return { draft, treatment, line: draft.items[0], change }
    }
    const copyOf = ({ id, code, name, unit_price, vat }: any) => ({ id, code, name, unit_price, vat })
    const save = async (id: string, items: unknown[]) => await staff.patch(`${BUDGETS}/${id}`, { items })

    it.each([
      ['named by its id', true],
      ['of the same treatment', false]
    ])('a line %s keeps its copy, and its price unless the request has another one', async (_name, named) => {
      const { draft, treatment, line } = await aStaleDraft()
      const said = { treatment_id: treatment.id, ...(named ? { id: line.id } : {}) }
      const { body } = await save(draft.id, [{ ...said, quantity: 2 }])
      expect(body.data.items[0]).toMatchObject({ ...copyOf(line), quantity: 2, price: '96.80' })
      expect(copyOf((await save(draft.id, [{ ...said, unit_price: '45.00' }])).body.data.items[0])).toEqual({
        ...copyOf(line),
        unit_price: '45.00'
      })
    })

    it('a new line copies the treatment as it is now, and a line beside it keeps its own copy', async () => {
      const { draft, treatment, line } = await aStaleDraft()
      const fresh = { name: 'Renombrado', unit_price: '999.00', vat: '0' }
      const { body } = await save(draft.id, [
        { treatment_id: treatment.id, tooth: '16' },
        { treatment_id: treatment.id, tooth: '26' }
      ])
      expect(copyOf(body.data.items[0])).toEqual(copyOf(line))
      expect(body.data.items[1]).toMatchObject(fresh)
      expect((await save(draft.id, [{ id: null, treatment_id: treatment.id }])).body.data.items).toMatchObject([fresh])
    })

    it('a line that the draft no longer has, or that is sent twice, is refused and replaced by no other line', async () => {
      const { draft, treatment, line } = await aStaleDraft()
      const other = (await aStaleDraft()).line
      for (const [items, pointer] of [
        [[{ id: other.id, treatment_id: treatment.id }], '/items/0/id'],
        [
          [
            { id: line.id, treatment_id: treatment.id },
            { id: line.id, treatment_id: treatment.id }
          ],
          '/items/1/id'
        ]
      ] as const) {
        const { status, body } = await save(draft.id, [...items])
        expect([status, body.errors]).toEqual([422, [expect.objectContaining({ pointer })]])
      }
    })

    it.each(['revise', 'duplicate'])(
      'a draft made by "%s" can be changed although its treatment is no longer offered',
      async (way) => {
        const { draft, treatment, change } = await aStaleDraft()
        if (way === 'revise') await staff.post(`${BUDGETS}/${draft.id}/cancel`)
        const {
          body: { data: copy }
        } = await staff.post(`${BUDGETS}/${draft.id}/${way}`)
        await change({ active: false })
        const { status, body } = await save(copy.id, [{ treatment_id: treatment.id, quantity: 3 }])
        expect([status, body.data.totals.total]).toEqual([200, '145.20'])
        expect(
          (await save(copy.id, [{ treatment_id: treatment.id }, { treatment_id: treatment.id }])).body.errors
        ).toMatchObject([{ pointer: '/items/1/treatment_id' }])
      }
    )
  })

  it('refuses lines that the current global discount exceeds, and changes nothing', async () => {
    const draft = await aDraft(instance, { global_discount: { type: 'amount', value: '100.00' } })
    const treatment = await aTreatment(staff, { unit_price: '20.00' })
    const { status, body } = await staff.patch(`${BUDGETS}/${draft.id}`, {
      items: [{ treatment_id: treatment.id }],
      internal_notes: 'no'
    })
    expect([status, body.code]).toEqual([422, 'discount_exceeds_total'])
    expect((await staff.get(`${BUDGETS}/${draft.id}`)).body.data).toMatchObject({
      internal_notes: null,
      totals: draft.totals
    })
  })

  it('accepts another patient, and switches to that patient\'s language', async () => {
    const draft = await aDraft(instance)
    const other = await aPatient(staff, { first_name: 'John', last_name: 'Smith', locale: 'en' })
    const { body } = await staff.patch(`${BUDGETS}/${draft.id}`, { patient_id: other.id, professional_id: null })
    expect(body.data).toMatchObject({
      patient: { first_name: 'John' },
      patient_id: other.id,
      professional: null,
      locale: 'en'
    })
    expect(body.data.items[0].name).toBe('Filling')
  })

  it('answers 412 to a stale If-Match and accepts the current one', async () => {
    const draft = await aDraft(instance)
    const { headers } = await staff.get(`${BUDGETS}/${draft.id}`)
    const fresh = { headers: { 'if-match': headers.get('etag')! } }
    expect((await staff.patch(`${BUDGETS}/${draft.id}`, { internal_notes: 'first' }, fresh)).status).toBe(200)
    const { status, body } = await staff.patch(`${BUDGETS}/${draft.id}`, { internal_notes: 'second' }, fresh)
    expect([status, body.code]).toEqual([412, 'precondition_failed'])
    expect((await staff.get(`${BUDGETS}/${draft.id}`)).body.data.internal_notes).toBe('first')
  })

  it('succeeds for one of 20 parallel requests with the same If-Match', async () => {
    const draft = await aDraft(instance)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        staff.patch(`${BUDGETS}/${draft.id}`, { internal_notes: `by ${index}` }, { headers: { 'if-match': '"1"' } })
      )
    )
    expect(answers.map(answer => answer.status).sort()).toEqual([200, ...Array<number>(19).fill(412)])
  })

  it.each(STATES)('or deleting it answers wrong_state with the alternative when it is %s', async (state) => {
    const { id } = await aBudgetIn(state)
    for (const call of [
      () => staff.patch(`${BUDGETS}/${id}`, { internal_notes: 'x' }),
      () => staff.delete(`${BUDGETS}/${id}`)
    ]) {
      const { status, body } = await call()
      expect([status, body.code]).toEqual([409, 'wrong_state'])
      expect(body.detail).toMatch(/Revise|Duplicate|duplicate/)
    }
  })
})

describe('ids', () => {
  it('of another clinic and malformed ones are 404 on every route', async () => {
    const stranger = await instance.as('admin', await instance.anotherClinic())
    const { id } = await aDraft(instance)
    for (const at of [id, 'x', '00000000-0000-4000-8000-000000000000', '..%2f..']) {
      const calls = [
        stranger.get(`${BUDGETS}/${at}`),
        stranger.patch(`${BUDGETS}/${at}`, {}),
        stranger.delete(`${BUDGETS}/${at}`),
        stranger.post(`${BUDGETS}/${at}/cancel`, {}),
        stranger.post(`${BUDGETS}/${at}/revise`),
        stranger.post(`${BUDGETS}/${at}/duplicate`)
      ]
      expect((await Promise.all(calls)).map(answer => [answer.status, answer.body.code])).toEqual(
        calls.map(() => [404, 'not_found'])
      )
    }
  })
})

describe('cancelling', () => {
  it.each(['draft', 'sent'])('ends a %s budget, keeps the reason and publishes budget.cancelled', async (state) => {
    const { id, number } = await aBudgetIn(state)
    const { body, status } = await staff.post(`${BUDGETS}/${id}/cancel`, { reason: 'Moved away' })
    expect([status, body.data.status, body.data.closed_reason]).toEqual([200, 'cancelled', 'Moved away'])
    const events = await instance.sql`select name, payload from core_event where payload->>'budget_id' = ${id}`
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({
      name: 'budget.cancelled',
      payload: { budget_number: number, version: 1, reason: 'Moved away', clinic_id: instance.clinic.id }
    })
  })

  it.each(STATES.filter(state => state !== 'sent'))('is refused for a budget that is %s', async (state) => {
    const { id } = await aBudgetIn(state)
    expect((await staff.post(`${BUDGETS}/${id}/cancel`)).body.code).toBe('wrong_state')
  })
})

describe('revising', () => {
  it.each(['sent', 'rejected', 'expired', 'cancelled'])(
    'makes the next version of a %s budget as a draft, and leaves the old one as it is',
    async (state) => {
      const { id, number, items } = await aBudgetIn(state, {
        items: [{ treatment_id: (await aTreatment(staff)).id, note: 'Metal-free' }],
        global_discount: { type: 'percent', value: '5' },
        patient_notes: 'the same'
      })
      const { body, status } = await staff.post(`${BUDGETS}/${id}/revise`)
      expect(status).toBe(201)
      expect(body.data).toMatchObject({
        number,
        version: 2,
        status: 'draft',
        revises_id: id,
        patient_notes: 'the same',
        sent_at: null,
        link: { state: 'none', has_code: false }
      })
      expect(body.data.items[0]).toMatchObject({ code: items[0].code, price: items[0].price, note: 'Metal-free' })
      expect(body.data.versions.map((version: any) => [version.version, version.status])).toEqual([
        [1, state],
        [2, 'draft']
      ])
      expect((await staff.get(`${BUDGETS}/${id}`)).body.data.status).toBe(state)
    }
  )

  it.each(['draft', 'accepted', 'superseded'])('is refused for a budget that is %s', async (state) => {
    const { id } = await aBudgetIn(state)
    const { status, body } = await staff.post(`${BUDGETS}/${id}/revise`)
    expect([status, body.code]).toEqual([409, 'wrong_state'])
  })

  it('makes one draft, even if requested ten times at once', async () => {
    const { id } = await aBudgetIn('sent')
    const answers = await Promise.all(Array.from({ length: 10 }, () => staff.post(`${BUDGETS}/${id}/revise`)))
    expect(answers.map(answer => answer.status).sort()).toEqual([201, ...Array<number>(9).fill(409)])
  })

  it('drops a validity that has ended', async () => {
    const { id } = await aDraft(instance)
    await instance.sql`update budget set status = 'sent', sent_at = now(), valid_until = '2020-01-01', expires_at = '2020-01-01T23:00:00Z' where id = ${id}`
    const { body } = await staff.post(`${BUDGETS}/${id}/revise`)
    expect(body.data).toMatchObject({ valid_until: null, expires_at: null })
    expect(body.data.versions[0].status).toBe('expired')
  })
})

describe('duplicating', () => {
  it.each(['draft', ...STATES])('makes a draft with its own number from a %s budget', async (state) => {
    const source = await aBudgetIn(state)
    const { body, status } = await staff.post(`${BUDGETS}/${source.id}/duplicate`)
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      version: 1,
      status: 'draft',
      revises_id: null,
      totals: source.totals,
      patient_id: source.patient_id
    })
    expect(body.data.number).not.toBe(source.number)
    expect(body.data.versions).toHaveLength(1)
  })
})

describe('only a draft can be changed, even in SQL', () => {
  const frozen = [
    'patient_id = gen_random_uuid()',
    `patient_last_name = 'Other'`,
    'professional_id = null',
    'total = 1',
    'valid_until = null',
    `expires_at = now()`,
    `discount_type = 'percent'`,
    `patient_notes = 'x'`,
    `internal_notes = 'x'`,
    `currency = 'USD'`,
    `number = 'X'`,
    'version = 9',
    `status = 'draft'`,
    'id = gen_random_uuid()',
    'clinic_id = gen_random_uuid()',
    `patient_first_name = 'Other'`,
    `professional_name = 'Other'`,
    `locale = 'xx'`,
    `time_zone = 'UTC+1'`,
    'discount_value = 1',
    'original_total = 1',
    'tax_total = 1',
    'created_by = gen_random_uuid()',
    'created_at = now()',
    `sent_at = now() - interval '1 year'`,
    'revises_id = gen_random_uuid()'
  ]

  it.each(STATES)('%s', async (state) => {
    const { id } = await aBudgetIn(state, { professional_id: (await aProfessional(instance)).id })
    for (const change of frozen)
      await expect(instance.sql.unsafe(`update budget set ${change} where id = '${id}'`), change).rejects.toThrow(
        /immutable|cannot go|keeps its/
      )
    for (const statement of [
      'update budget_item set price = price + 1 where budget_id = $1',
      'delete from budget_item where budget_id = $1',
      'delete from budget where id = $1',
      'insert into budget_item (budget_id, clinic_id, position, treatment_id, code, name, description, unit_price, vat, quantity, original_price, price, tax) select budget_id, clinic_id, 99, treatment_id, code, name, description, unit_price, vat, quantity, original_price, price, tax from budget_item where budget_id = $1'
    ])
      await expect(instance.sql.unsafe(statement, [id]), statement).rejects.toThrow(/immutable|only a draft/)
    await instance.sql`update budget set viewed_at = now(), log_count = log_count + 1 where id = ${id}`
  })

  it('an accepted budget is final', async () => {
    const { id } = await aBudgetIn('accepted')
    for (const status of ['draft', 'sent', 'rejected', 'expired', 'cancelled', 'superseded']) {
      await expect(instance.sql`update budget set status = ${status} where id = ${id}`).rejects.toThrow(/cannot go/)
    }
  })
})
