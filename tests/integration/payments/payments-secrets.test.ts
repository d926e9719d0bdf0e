import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { eventually } from '../../support/builders.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { choose, installPayments, paymentCalls, REQUESTS, TRANSFER } from '../../support/providers/payments.ts'
import { pressAt } from '../../support/providers/browse.ts'
import { aMollie, MOLLIE_KEY } from '../../support/providers/mollie.ts'
import { aRedsys, REDSYS_KEY } from '../../support/providers/redsys.ts'
import { CARD, type StandIn } from '../../support/providers/stand-in.ts'
import { aStripe, STRIPE_KEY, STRIPE_WEBHOOK_SECRET } from '../../support/providers/stripe.ts'

const WRONG = {
  stripe_test_key: 'sk_test_51Wrong00000000000000000000000key',
  mollie_test_key: 'test_Wrong0000000000000000000000key',
  redsys_test_key: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYX'
}
/** Keys, their parts that providers quote, and card numbers, whole and masked. */
const SECRETS = [
  STRIPE_KEY, STRIPE_WEBHOOK_SECRET, MOLLIE_KEY, REDSYS_KEY, ...Object.values(WRONG),
  'sk_test_', 'whsec_', CARD, `${CARD.slice(0, 6)}*`, 'fHB3CCKx9REkz8fPplT8N4nq', 'T. Payer', 'stripe-signature'
]

const lines: string[] = []
let instance: Instance
let standIns: [string, StandIn & { settings: object }][]
beforeAll(async () => {
  vi.spyOn(process.stderr, 'write').mockImplementation((chunk: unknown) => {
    lines.push(String(chunk))
    return true
  })
  instance = await anInstance({ env: { SVC_WEBHOOK_ALLOW_PRIVATE: 'true', LOG_LEVEL: 'debug' } })
  await installPayments(instance)
  await choose(await instance.as('admin'), TRANSFER)
  standIns = [['stripe', await aStripe()], ['mollie', await aMollie()], ['redsys', await aRedsys()]]
})
afterAll(async () => {
  vi.restoreAllMocks()
  await instance.close()
  for (const [, standIn] of standIns) await standIn.close()
})

/** Paid, refunded, forged, refused and unreachable, with each provider. */
async function everythingHappens(): Promise<unknown[]> {
  const staff = await instance.as('admin')
  const calls = paymentCalls(instance, staff)
  const answers: unknown[] = []
  const note = async (answer: Promise<{ body?: unknown, bytes: Buffer }>) => {
    const { body, bytes } = await answer
    answers.push(body ?? bytes.toString())
  }

  for (const [name, standIn] of standIns) {
    await choose(staff, standIn.settings)
    standIn.reports('never')
    const { budget, patient, request, pay } = await calls.accepted()
    const page = await patient.get(pay)
    const [, fields] = /<form([\s\S]*)<\/form>/.exec(page.bytes.toString()) ?? []
    await pressAt(fields === undefined ? { kind: 'get', url: page.headers.get('location')! } : formIn(fields), 'pay')
    const [{ id: attempt_id }] = (await calls.read(request.id)).attempts
    const path = `/api/v1/public/payments/webhooks/${instance.clinic.id}/${name}`
    for (const forgery of ['forged', 'old', 'right'] as const) {
      const { headers, body } = standIn.webhook(attempt_id, forgery)
      await note(instance.anonymous().post(path, undefined, { raw: body, headers }))
    }
    await calls.recorded(budget.id)
    await note(staff.post(`${REQUESTS}/${request.id}/refund`, { amount: '10.00', reason: 'A gesture.' }))
    standIn.trouble('drop')
    await note(staff.post('/api/v1/payments/test', {}))
    await choose(staff, WRONG)
    await note(staff.post('/api/v1/payments/test', {}))
    await note(staff.post(`${REQUESTS}/${request.id}/refund`, { amount: '1.00', reason: 'A gesture.' }))
    const other = await calls.accepted()
    await note(other.patient.get(other.pay).then(answer => name === 'redsys' ? { ...answer, body: null } : answer))
    await note(staff.get(`${REQUESTS}/${request.id}`))
    await note(staff.get('/api/v1/clinic/settings/payments'))
  }
  return answers
}

/** What the browser posts: the page's hidden fields. */
function formIn(html: string) {
  const fields = [...html.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name!, decode(value!)])
  return { kind: 'form' as const, url: /action="([^"]+)"/.exec(html)![1]!, fields: Object.fromEntries(fields) }
}
const decode = (text: string) => text.replaceAll('&#39;', '\'').replaceAll('&quot;', '"').replaceAll('&amp;', '&')

test('No key and no card number is in any log, metric, audit row, event, job or answer', { timeout: 120_000 }, async () => {
  const answers = await everythingHappens()
  const metrics = (await (await instance.asInstanceAdmin()).get('/metrics')).bytes.toString()
  await eventually(() => Promise.resolve(lines.some(line => line.includes('payments.'))), 'lines of the module')
  expect(metrics).toContain('svc_outgoing_call_seconds')
  const rows = await instance.sql`
    select (select jsonb_agg(to_jsonb(a)) from core_audit a) as audit, (select jsonb_agg(to_jsonb(e)) from core_event e) as events,
      (select jsonb_agg(to_jsonb(d)) from core_delivery d) as jobs, (select jsonb_agg(to_jsonb(t)) from payments_attempt t) as attempts,
      (select jsonb_agg(to_jsonb(r)) from payments_refund r) as refunds, (select jsonb_agg(to_jsonb(q)) from payments_request q) as requests`
  const places = { log: lines.join(''), metrics, rows: JSON.stringify(rows), answers: JSON.stringify(answers) }
  const found = Object.entries(places).flatMap(([place, text]) =>
    SECRETS.filter(secret => text.includes(secret)).map(secret => `${secret} in ${place}`))
  expect(found).toEqual([])
})
