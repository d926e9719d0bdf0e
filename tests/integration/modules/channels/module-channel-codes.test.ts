import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ACCEPTANCE, aPatient, aSentBudget, BUDGETS, eventually, type SentBudget } from '../../../support/builders.ts'
import { createCaller, type Caller } from '../../../support/caller.ts'
import { loadDocuments } from '../../../support/documents/load-documents.ts'
import type { Instance } from '../../../support/instance.ts'
import { install, schedule } from '../../../support/modules/packages.ts'
import { anInstanceWithTexting, aPatientWithPhone, aTextedBudget, becomes, reportTo, setMode, textsTo } from '../../../support/texting.ts'

let instance: Instance
let staff: Caller

const setCodes = async (change: { code_by?: string, code_by_only?: boolean }) => {
  const { status, body } = await staff.patch('/api/v1/clinic/settings/budget', change)
  if (status !== 200) throw new Error(JSON.stringify(body))
}

beforeAll(async () => {
  await loadDocuments()
  instance = await anInstanceWithTexting()
  staff = await instance.as('admin')
  await setCodes({ code_by: 'texting' })
})
afterAll(() => instance.close())
afterEach(async () => {
  await setMode(instance, 'on')
  await setCodes({ code_by: 'texting', code_by_only: false })
})

type Mailed = SentBudget & { phone: string, patient_id: string }
/** The link of this budget was sent by email, so a code may be sent to the phone. */
async function aMailedBudget(): Promise<Mailed> {
  const { id: patient_id, phone } = await aPatientWithPhone(instance)
  return { ...await aSentBudget(instance, { patient_id }, { channel: 'email' }), phone, patient_id }
}
const ask = (budget: SentBudget, channel = 'texting', caller = instance.anonymous()) =>
  caller.post(`${budget.base}/codes`, { channel })
const codesTo = async (phone: string, count = 1) => {
  const texts = await eventually(async () => {
    const found = (await textsTo(instance, phone)).filter(({ kind }) => kind === 'code')
    return found.length >= count && found
  }, 'the code')
  return texts.map(({ text }) => /\b\d{6}\b/.exec(text)![0])
}
const verify = (budget: SentBudget, code: string, caller = instance.anonymous()) =>
  caller.post(`${budget.base}/verify`, { code })
const logOf = async ({ id }: SentBudget, action: string) =>
  (await staff.get(`${BUDGETS}/${id}/access-log?page_size=100`)).body.data
    .filter((row: { action: string }) => row.action === action)
/** The job has failed, and is due again only much later. */
const putOff = (name: string, id: string) => eventually(async () => (await instance.sql`
  update core_delivery set next_attempt_at = now() + interval '1 day'
  where name = ${name} and payload->>'id' = ${id} and last_error is not null returning last_error`)[0], 'its failure')
const metaOf = async ({ base }: SentBudget) => (await instance.anonymous().get(`${base}/meta`)).body.data

describe('a code that is sent by a channel', () => {
  test('has six digits and opens the link once, besides the clinic’s own code', async () => {
    const budget = await aMailedBudget()
    const { status, body } = await ask(budget)
    expect([status, body]).toEqual([202, {
      data: { sent_to: `•••${budget.phone.slice(-2)}`, expires_at: expect.stringMatching(/Z$/) }
    }])
    const minutes = (Date.parse(body.data.expires_at) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(9)
    expect(minutes).toBeLessThanOrEqual(10.1)
    const [code] = await codesTo(budget.phone)
    const [text] = await textsTo(instance, budget.phone)
    expect(text).toMatchObject({ kind: 'code', url: null, locale: 'es' })
    expect(text!.text).not.toMatch(/http|Lucía/)

    const patient = instance.anonymous()
    expect((await verify(budget, code!, patient)).status).toBe(200)
    expect((await patient.get(budget.base)).status).toBe(200)
    expect((await verify(budget, code!)).body).toMatchObject({ status: 401, code: 'code_wrong' })
    expect((await verify(budget, budget.code)).status).toBe(200)
  })

  test('is stored only as a hash, and in no log', async () => {
    const budget = await aMailedBudget()
    await ask(budget)
    const [code] = await codesTo(budget.phone)
    const rows = await instance.sql`
      select (select json_agg(c) from budget_sent_code c where budget_id = ${budget.id})::text
        || (select json_agg(l) from budget_access_log l where budget_id = ${budget.id})::text
        || (select json_agg(d) from core_delivery d where name = 'deliver-code')::text as text`
    expect(rows[0]!.text).not.toContain(code)
    expect(await logOf(budget, 'code_sent')).toMatchObject([
      { success: true, actor: 'patient', detail: { channel: 'texting', sent_to: `•••${budget.phone.slice(-2)}` } }
    ])
  })

  test('replaces the previous one, and expires after ten minutes', async () => {
    const budget = await aMailedBudget()
    await ask(budget)
    await codesTo(budget.phone)
    await ask(budget)
    const [first, second] = await codesTo(budget.phone, 2)
    if (first !== second) expect((await verify(budget, first!)).status).toBe(401)
    await instance.sql`update budget_sent_code set expires_at = expires_at - interval '10 minutes' where budget_id = ${budget.id}`
    expect((await verify(budget, second!)).status).toBe(401)
  })

  test('opens nothing if SQL extended or moved it', async () => {
    const [budget, other] = [await aMailedBudget(), await aMailedBudget()]
    await ask(budget)
    const [code] = await codesTo(budget.phone)
    await instance.sql`update budget_sent_code set expires_at = expires_at + interval '1 minute' where budget_id = ${budget.id}`
    expect((await verify(budget, code!)).status).toBe(401)
    await ask(budget)
    const [, again] = await codesTo(budget.phone, 2)
    await instance.sql`update budget_sent_code set budget_id = ${other.id} where budget_id = ${budget.id}`
    expect((await verify(other, again!)).status).toBe(401)
  })

  test('counts for the lock when it is wrong, and none is sent while the link is locked', async () => {
    const budget = await aMailedBudget()
    await ask(budget)
    const [code] = await codesTo(budget.phone)
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    const statuses = []
    for (let attempt = 0; attempt < 5; attempt++) statuses.push((await verify(budget, wrong)).status)
    expect(statuses).toEqual([401, 401, 401, 401, 423])
    expect((await verify(budget, code!)).status).toBe(423)
    expect((await ask(budget)).body).toMatchObject({ status: 423, code: 'link_locked', locked_until: expect.any(String) })
  })

  test('used four times at once opens once', async () => {
    const budget = await aMailedBudget()
    await ask(budget)
    const [code] = await codesTo(budget.phone)
    const answers = await Promise.all(Array.from({ length: 4 }, () => verify(budget, code!)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('becomes invalid with a new link or a new code of the clinic', async () => {
    for (const change of [
      (id: string) => staff.post(`${BUDGETS}/${id}/resend`, { channel: 'manual', new_link: true }),
      (id: string) => staff.post(`${BUDGETS}/${id}/set-public-code`, { generate: true })
    ]) {
      const budget = await aMailedBudget()
      await ask(budget)
      const [code] = await codesTo(budget.phone)
      const { body } = await change(budget.id)
      const token = body.data.url?.split('/').at(-1) ?? budget.token
      expect((await verify({ ...budget, base: `/api/v1/public/budgets/${token}` }, code!)).status).toBe(401)
    }
  })

  test('becomes invalid when the link itself is sent to its address, but not when it is sent elsewhere', async () => {
    for (const [channel, code_is] of [['texting', 401], ['email', 200]] as const) {
      const budget = await aMailedBudget()
      await ask(budget)
      const [code] = await codesTo(budget.phone)
      expect((await staff.post(`${BUDGETS}/${budget.id}/resend`, { channel })).status).toBe(200)
      expect((await verify(budget, code!)).status).toBe(code_is)
    }
  })

  test('is sent at once even if an earlier one still waits for the provider', async () => {
    const budget = await aMailedBudget()
    await setMode(instance, 'down')
    await ask(budget)
    await putOff('deliver-code', budget.id)
    await setMode(instance, 'on')
    await ask(budget)
    const [code, ...more] = await codesTo(budget.phone)
    expect(more).toEqual([])
    expect((await verify(budget, code!)).status).toBe(200)
  })

  test('is removed from an error of the channel that quotes the message', async () => {
    const budget = await aMailedBudget()
    await setMode(instance, 'quote')
    await ask(budget)
    expect((await putOff('deliver-code', budget.id)).last_error).toBe('400 Bad Request: {"to":"-","body":"-"}')
  })

  test('is refused if the link was sent by that channel to that address', async () => {
    const budget = await aTextedBudget(instance)
    await becomes(instance, budget.id, 'sent')
    expect((await ask(budget)).body).toMatchObject({ status: 409, code: 'same_channel' })
    expect(await metaOf(budget)).not.toHaveProperty('code_by')
    // After it was resent by email, the link is still on the phone. A new link is not.
    await staff.post(`${BUDGETS}/${budget.id}/resend`, { channel: 'email' })
    expect((await ask(budget)).body.code).toBe('same_channel')
    const { body } = await staff.post(`${BUDGETS}/${budget.id}/resend`, { channel: 'email', new_link: true })
    const base = `/api/v1/public/budgets/${body.data.url.split('/').at(-1)}`
    expect((await ask({ ...budget, base })).status).toBe(202)
  })

  test.each<[string, (budget: Mailed) => PromiseLike<unknown>, object]>([
    ['the channel is not ready', () => setMode(instance, 'off'), { status: 409, code: 'code_unavailable' }],
    [
      'the patient has no number',
      ({ patient_id }) => staff.patch(`/api/v1/clinical/patients/${patient_id}`, { phone: null }),
      { status: 409, code: 'code_unavailable' }
    ],
    ['the clinic gives codes itself', () => setCodes({ code_by: 'clinic' }), { status: 422, code: 'validation_failed' }]
  ])('is refused when %s', async (_, change, answer) => {
    const budget = await aMailedBudget()
    expect(await metaOf(budget)).toMatchObject({ code_by: 'texting' })
    await change(budget)
    expect((await ask(budget)).body).toMatchObject(answer)
    expect(await metaOf(budget)).not.toHaveProperty('code_by')
    expect(await logOf(budget, 'code_sent')).toEqual([])
  })

  test('is refused for an unknown link with the same answer as any other request', async () => {
    const unknown = { ...await aMailedBudget(), base: `/api/v1/public/budgets/${'x'.repeat(43)}` }
    expect((await ask(unknown)).body).toMatchObject({ status: 404, code: 'link_not_found' })
  })

  test('is sent at most three times an hour and ten times a day for a link', async () => {
    const budget = await aMailedBudget()
    const answers = []
    for (let call = 0; call < 4; call++) answers.push(await ask(budget))
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 429])
    expect(answers[3]!.headers.get('retry-after')).toMatch(/^\d+$/)
    const forget = () => instance.sql`delete from core_rate_limit where key like '%codes-link-hour%'`
    for (let call = 0; call < 7; call++) {
      await forget()
      expect((await ask(budget)).status).toBe(202)
    }
    await forget()
    expect((await ask(budget)).status).toBe(429)
  })

  test('is sent at most two hundred times an hour for a clinic', async () => {
    await instance.sql`
      update core_rate_limit set points = 200 where key like '%codes-clinic%'`
    expect((await ask(await aMailedBudget())).status).toBe(429)
    await instance.sql`delete from core_rate_limit where key like '%codes-clinic%'`
  })

  test('is in the log if it did not arrive', async () => {
    const budget = await aMailedBudget()
    await setMode(instance, 'refuse')
    await ask(budget)
    await eventually(async () => (await logOf(budget, 'code_sent')).length === 2, 'the refusal')
    await setMode(instance, 'on')
    await ask(budget)
    await codesTo(budget.phone)
    await reportTo(instance, budget.phone, { state: 'failed' })
    await eventually(async () => (await logOf(budget, 'code_sent')).length === 4, 'the report')
    expect((await logOf(budget, 'code_sent')).filter(({ success }: { success: boolean }) => !success)).toMatchObject([
      { actor: 'system', detail: { channel: 'texting', reason: 'not_delivered' } },
      { actor: 'system', detail: { channel: 'texting', reason: 'undeliverable' } }
    ])
  })

  test('is shown to no one in the clinic, so the record of the decision names no one who knew it', async () => {
    const budget = await aMailedBudget()
    await ask(budget)
    const [code] = await codesTo(budget.phone)
    const patient = instance.anonymous()
    await verify(budget, code!, patient)
    expect((await patient.post(`${budget.base}/accept`, ACCEPTANCE)).status).toBe(200)
    expect((await staff.get(`${BUDGETS}/${budget.id}/signature`)).body.data.known_to).toBeNull()
    expect((await logOf(budget, 'verify'))[0].detail).toMatchObject({ channel: 'texting' })
    const { ctx, definition } = instance.runtime.host.registry.get('budget')!
    const { ok } = await definition.commands!['budgets verify']!.run(ctx, {
      args: { id: budget.id }, options: {}, progress: () => {}, runPart: async () => { throw new Error('not in parts') }
    })
    expect(ok).toBe(true)
  })
})

describe('if only a channel brings codes', () => {
  test('the clinic’s own code opens nothing, sending returns no code, and the page explains it', async () => {
    await setCodes({ code_by_only: true })
    const budget = await aMailedBudget()
    expect(await metaOf(budget)).toMatchObject({ code_by: 'texting', code_only: true })
    expect((await verify(budget, budget.code)).body.code).toBe('code_wrong')
    await ask(budget)
    const [code] = await codesTo(budget.phone)
    expect((await verify(budget, code!)).status).toBe(200)

    const { id: patient_id } = await aPatient(staff, { phone: '+34600999888' })
    const { body: { data: draft } } = await staff.post(`${BUDGETS}/${budget.id}/duplicate`)
    await staff.patch(`${BUDGETS}/${draft.id}`, { patient_id })
    const sent = await staff.post(`${BUDGETS}/${draft.id}/send`, { channel: 'email' })
    expect(sent.body.data).toEqual({
      status: 'sent', url: expect.any(String), notice: expect.stringContaining('by the channel texting')
    })
    expect((await staff.post(`${BUDGETS}/${draft.id}/resend`, { channel: 'email' })).status).toBe(200)
  })

  test('a link that a program sent opens with a code that the patient requests', async () => {
    const { body } = await staff.post('/api/v1/tokens', { name: 'Practice software', scopes: ['budget.write', 'budget.read'] })
    const program = createCaller(instance.url, { bearer: body.data.token })
    const budget = await aMailedBudget()
    const { body: { data: draft } } = await program.post(`${BUDGETS}/${budget.id}/duplicate`)
    const sent = await program.post(`${BUDGETS}/${draft.id}/send`, { channel: 'email' })
    expect(sent.body.data).not.toHaveProperty('public_code')
    const base = `/api/v1/public/budgets/${sent.body.data.url.split('/').at(-1)}`
    expect((await ask({ ...budget, base })).status).toBe(202)
    const codes = await codesTo(budget.phone)
    expect((await verify({ ...budget, base }, codes.at(-1)!)).status).toBe(200)
  })
})

describe('the setting for the channel of codes', () => {
  test('accepts only a channel of this service', async () => {
    const { status, body } = await staff.patch('/api/v1/clinic/settings/budget', { code_by: 'pigeon' })
    expect([status, body.code]).toEqual([409, 'setting_vetoed'])
    expect((await staff.patch('/api/v1/clinic/settings/budget', { code_by: 'email' })).status).toBe(200)
  })
})

describe('a channel that cannot send codes', () => {
  const findingsOf = async () => {
    const { ctx, definition } = instance.runtime.host.registry.get('budget')!
    return (await definition.doctor!(ctx)).filter(({ code }) => code.startsWith('code_channel'))
  }

  test.each([
    [true, undefined],
    [false, true]
  ])('is reported by the doctor while it isn’t ready (only this channel: %s)', async (code_by_only, advice) => {
    await setCodes({ code_by_only })
    expect(await findingsOf()).toEqual([])
    await setMode(instance, 'off')
    expect(await findingsOf()).toMatchObject([{
      code: 'code_channel_not_ready', message: expect.stringContaining('No sender is set.'), advice: advice ?? false
    }])
  })

  test('is reported by the doctor if its module is gone, and the clinic gives the codes', async () => {
    await setCodes({ code_by_only: true })
    const budget = await aMailedBudget()
    expect((await verify(budget, budget.code)).body.code).toBe('code_wrong')
    await schedule(instance, 'uninstall', 'texting')
    await instance.restart()
    staff = await instance.as('admin')
    expect((await verify(budget, budget.code)).status).toBe(200)
    expect(await metaOf(budget)).not.toHaveProperty('code_only')
    expect(await findingsOf()).toMatchObject([{ code: 'code_channel_missing', message: expect.stringContaining('"texting"') }])
    await install(instance, 'svc-module-texting')
    staff = await instance.as('admin')
    expect(await metaOf(budget)).toMatchObject({ code_by: 'texting', code_only: true })
  })
})
