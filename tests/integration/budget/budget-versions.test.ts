import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, BUDGETS } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

let instance: Instance
let staff: Caller

beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('admin')
})
afterAll(() => instance.close())

const detail = async (id: string) => (await staff.get(`${BUDGETS}/${id}`)).body.data
const eventsOf = (id: string) =>
  instance.sql`select name, payload from core_event where payload->>'budget_id' = ${id} order by seq`

describe('a version and its revision', () => {
  it('the old version stays open until the new one is sent, and then shows that it was replaced', async () => {
    const first = await aSentBudget(instance)
    const { body } = await staff.post(`${BUDGETS}/${first.id}/revise`)
    expect(await detail(first.id)).toMatchObject({
      status: 'sent',
      link: { state: 'active', url: first.url, has_code: true }
    })

    const second = body.data.id
    expect((await staff.post(`${BUDGETS}/${second}/send`, { channel: 'manual', code: '4711' })).status).toBe(200)
    const old = await detail(first.id)
    expect(old).toMatchObject({
      status: 'superseded',
      superseded_by_id: second,
      link: { state: 'closed', url: first.url }
    })
    expect(old.versions.map((version: { status: string }) => version.status)).toEqual(['superseded', 'sent'])
    expect(old.superseded_by_user).toEqual((await detail(second)).created_by)
    expect((await detail(second)).superseded_by_user).toBeNull()
    const superseded = (await eventsOf(first.id)).find(event => event.name === 'budget.superseded')
    expect(superseded?.payload).toMatchObject({ superseded_by_id: second, version: 1 })
  })

  it('an accepted version is final: the draft beside it can be neither sent nor revised', async () => {
    const first = await aSentBudget(instance)
    const { body } = await staff.post(`${BUDGETS}/${first.id}/revise`)
    const patient = await aVerifiedPatient(instance, first)
    expect((await patient.post(`${first.base}/accept`, ACCEPTANCE)).status).toBe(200)
    const refused = await staff.post(`${BUDGETS}/${body.data.id}/send`, { channel: 'manual', code: '4711' })
    expect([refused.status, refused.body.code]).toEqual([409, 'wrong_state'])
    expect((await detail(first.id)).status).toBe('accepted')
  })
})

describe('a decided budget', () => {
  it('shows staff who decided what, on which content, even if the clinic is renamed later', async () => {
    const budget = await aSentBudget(instance)
    const sent = await detail(budget.id)
    const { content_digest } = sent
    const patient = await aVerifiedPatient(instance, budget)
    await patient.post(`${budget.base}/accept`, { ...ACCEPTANCE, content_digest })
    await instance.sql`update core_clinic set name = 'Another name' where id = ${instance.clinic.id}`
    expect(await detail(budget.id)).toMatchObject({
      status: 'accepted',
      accepted_via: 'remote_link',
      content_digest,
      clinic: { name: sent.clinic.name },
      decision: {
        status: 'accepted',
        signer_name: ACCEPTANCE.signer_name,
        relationship: 'patient',
        method: 'click',
        via: 'remote_link',
        reason: null,
        witness: null
      },
      link: { state: 'closed' }
    })
  })

  it('can be duplicated and edited without touching the original', async () => {
    const budget = await aSentBudget(instance)
    const before = await detail(budget.id)
    const { body } = await staff.post(`${BUDGETS}/${budget.id}/duplicate`)
    await staff.patch(`${BUDGETS}/${body.data.id}`, { items: [], patient_notes: 'other' })
    expect(await detail(budget.id)).toEqual(before)
  })
})

describe('simultaneous requests:', () => {
  it('exactly one of 20 cancellations and 20 acceptances succeeds', async () => {
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        index % 2 === 0
          ? staff.post(`${BUDGETS}/${budget.id}/cancel`)
          : patient.post(`${budget.base}/accept`, ACCEPTANCE)
      )
    )
    expect(answers.filter(answer => answer.status === 200)).toHaveLength(1)
    expect(answers.filter(answer => answer.status >= 500)).toEqual([])
    const { status } = await detail(budget.id)
    expect(['accepted', 'cancelled']).toContain(status)
    expect(
      (await eventsOf(budget.id))
        .filter(event => ['budget.accepted', 'budget.cancelled'].includes(event.name))
        .map(event => event.name)
    ).toEqual([`budget.${status}`])
  })

  it('during a sending and ten changes at once, each draft is sent in a state that was saved', async () => {
    const { body } = await staff.post(`${BUDGETS}/${(await aSentBudget(instance)).id}/duplicate`)
    const { id } = body.data
    const [sent, ...changes] = await Promise.all([
      staff.post(`${BUDGETS}/${id}/send`, { channel: 'manual', code: '4711' }),
      ...Array.from({ length: 10 }, (_, index) => staff.patch(`${BUDGETS}/${id}`, { patient_notes: `note ${index}` }))
    ])
    expect(sent.status).toBe(200)
    expect(changes.map(answer => answer.status).filter(status => status !== 200 && status !== 409)).toEqual([])
    const stored = await detail(id)
    const last = changes.filter(answer => answer.status === 200).map(answer => answer.body.data.patient_notes)
    expect([null, ...last]).toContain(stored.patient_notes)
  })
})
