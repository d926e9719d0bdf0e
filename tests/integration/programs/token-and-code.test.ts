import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACCEPTANCE, aDraft, aSentBudget, aVerifiedPatient, BUDGETS, eventually } from '../../support/builders.ts'
import { createCaller, type Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

let instance: Instance
let staff: Caller
let me: { id: string, first_name: string, last_name: string }
let program: Caller

beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('admin')
  me = (await staff.get('/me')).body.data.user
  const { body } = await staff.post('/api/v1/tokens', {
    name: 'Practice software', scopes: ['budget.read', 'budget.write', 'clinical.read', 'clinical.write']
  })
  program = createCaller(instance.url, { bearer: body.data.token })
})
afterAll(() => instance.close())

const rowsOf = async (id: string, action: string) =>
  (await staff.get(`${BUDGETS}/${id}/access-log?page_size=100`)).body.data.filter((row: any) => row.action === action)

/** Sends as a program does, and returns the public address of the link. */
async function sentByProgram(id: string, body: object = { channel: 'manual' }) {
  const { status, body: { data } } = await program.post(`${BUDGETS}/${id}/send`, body)
  expect(status).toBe(200)
  return { data, base: `/api/v1/public/budgets/${data.url.split('/').at(-1)}` }
}

describe('a program that sends a budget', () => {
  test('gets the link without a code, and a note on how staff can see the code', async () => {
    const draft = await aDraft(instance)
    const { data, base } = await sentByProgram(draft.id)
    expect(data).toEqual({
      status: 'sent',
      url: expect.any(String),
      notice: 'The link opens once it has a code, and programs don’t get the code. '
        + 'A person creates it on the budget’s page, sees it there, and gives it to the patient.'
    })
    expect((await program.get(`${BUDGETS}/${draft.id}`)).body.data.link).toMatchObject({ state: 'active', has_code: false })
    expect(await rowsOf(draft.id, 'code_set')).toEqual([])
    expect((await rowsOf(draft.id, 'link_sent'))[0].detail).not.toHaveProperty('known_to')

    const { body } = await staff.post(`${BUDGETS}/${draft.id}/set-public-code`, { generate: true })
    const patient = instance.anonymous()
    expect((await patient.post(`${base}/verify`, { code: body.data.public_code })).status).toBe(200)
    expect((await patient.post(`${base}/accept`, ACCEPTANCE)).status).toBe(200)
  })

  test('keeps the code that a person set for the draft, without seeing it', async () => {
    const draft = await aDraft(instance)
    await staff.post(`${BUDGETS}/${draft.id}/set-public-code`, { code: '736451' })
    const { data, base } = await sentByProgram(draft.id)
    expect(Object.keys(data).sort()).toEqual(['notice', 'status', 'url'])
    expect(data.notice).toMatch(/the code that a person set/)
    expect((await instance.anonymous().post(`${base}/verify`, { code: '736451' })).status).toBe(200)
  })

  test('can neither choose, change nor create a code, nor unlock a link', async () => {
    const draft = await aDraft(instance)
    expect(await program.post(`${BUDGETS}/${draft.id}/send`, { channel: 'manual', code: '736451' })).toMatchObject({
      status: 403,
      body: {
        code: 'permission_denied',
        detail: 'Only a person can choose the code, not a token. They set it on the budget’s page.'
      }
    })
    expect((await staff.get(`${BUDGETS}/${draft.id}`)).body.data.status).toBe('draft')
    const refused = { status: 403, body: { code: 'permission_denied' } }
    for (const id of [draft.id, (await aSentBudget(instance)).id]) {
      for (const body of [{ generate: true }, { code: '736451' }])
        expect(await program.post(`${BUDGETS}/${id}/set-public-code`, body)).toMatchObject(refused)
      expect(await program.post(`${BUDGETS}/${id}/unlock-public`, {})).toMatchObject(refused)
    }
  })

  test('gets no code from a copy, a new version or a new link either', async () => {
    const { id, code } = await aSentBudget(instance)
    const answers = [
      await program.post(`${BUDGETS}/${id}/resend`, { channel: 'manual', new_link: true }),
      await program.post(`${BUDGETS}/${id}/duplicate`),
      await program.post(`${BUDGETS}/${id}/revise`),
      await program.get(`${BUDGETS}/${id}`),
      await program.get(`${BUDGETS}/${id}/access-log`)
    ]
    for (const { status, bytes } of answers) {
      expect(status).toBeLessThan(300)
      expect(bytes.toString()).not.toMatch(new RegExp(`public_code|"${code}"`))
    }
    for (const copy of answers.slice(1, 3)) {
      const { data } = await sentByProgram(copy.body.data.id)
      expect(data).not.toHaveProperty('public_code')
      expect((await staff.get(`${BUDGETS}/${copy.body.data.id}`)).body.data.link.has_code).toBe(false)
    }
  })
})

describe('a person who knows both link and code', () => {
  test('is named in the access log when the code is set or the link is created', async () => {
    const draft = await aDraft(instance)
    await staff.post(`${BUDGETS}/${draft.id}/set-public-code`, { generate: true })
    expect((await rowsOf(draft.id, 'code_set'))[0].detail).toEqual({ generated: true })

    const dentist = await instance.as('dentist')
    expect((await dentist.post(`${BUDGETS}/${draft.id}/send`, { channel: 'manual' })).status).toBe(200)
    expect((await rowsOf(draft.id, 'link_sent'))[0].detail).toMatchObject({ known_to: me.id })
    await dentist.post(`${BUDGETS}/${draft.id}/resend`, { channel: 'manual', new_link: true })
    expect((await rowsOf(draft.id, 'link_resent'))[0].detail).toMatchObject({ known_to: me.id })

    await dentist.post(`${BUDGETS}/${draft.id}/set-public-code`, { generate: true })
    const dentist_id = (await dentist.get('/me')).body.data.user.id
    expect((await rowsOf(draft.id, 'code_set'))[0].detail).toEqual({ generated: true, known_to: dentist_id })
  })

  test('is named in the record and the evidence of a decision by link, but not of one in the clinic', async () => {
    const sent = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, sent)
    expect((await patient.post(`${sent.base}/accept`, ACCEPTANCE)).status).toBe(200)
    const dentist = await instance.as('dentist')
    await dentist.post(`${BUDGETS}/${sent.id}/set-public-code`, { generate: true }) // after the decision this changes nothing
    const name = `${me.first_name} ${me.last_name}`
    expect((await staff.get(`${BUDGETS}/${sent.id}/signature`)).body.data.known_to)
      .toEqual({ id: me.id, name, token_id: null })
    const zip = await eventually(async () => {
      const { status, bytes } = await staff.get(`${BUDGETS}/${sent.id}/evidence`)
      return status === 200 && bytes
    })
    expect(JSON.parse(Buffer.from(unzipSync(zip)['signature.json']!).toString()).known_to).toBe(name)

    const desk = await aSentBudget(instance)
    expect((await staff.post(`${BUDGETS}/${desk.id}/accept-in-clinic`, ACCEPTANCE)).status).toBe(200)
    expect((await staff.get(`${BUDGETS}/${desk.id}/signature`)).body.data.known_to).toBeNull()
  })
})
