import { randomUUID } from 'node:crypto'
import { ACCEPTANCE, BUDGETS } from '../../support/builders.ts'
import type { Answer, Caller } from '../../support/caller.ts'
import { chanceOf, type Chance } from './chance.ts'
import { PASSWORD, type Clinic } from './clinic.ts'
import type { World } from './world.ts'

/** One budget from the first call to the last, with the responses of its callers. */
export interface Case {
  id: string
  clinic: Clinic
  token: string
  code: string
  channel: 'email' | 'manual'
  /** The successful response among simultaneous calls. */
  outcome: 'sent' | 'accepted' | 'rejected' | 'cancelled'
  viewed: boolean
  /** The patient's browser, unless its session was closed. */
  phone: Caller | null
}

export interface Ledger {
  cases: Case[]
  journeys: number
  /** Contradictions to the specification, one sentence each. */
  broken: string[]
}

/** Names that must not appear in a log. */
export const MARKS = {
  first_name: 'Xochiquetzal',
  last_name: 'Zapotécatl',
  signer_name: 'Quirimbau',
  reason: 'overpriced molars',
  host: 'patient.test'
}

interface Scene { world: World, ledger: Ledger, chance: Chance, n: number, clinic: Clinic }

/**
 * A member of staff writes and sends a budget, a patient decides on two devices at once, and the clinic then processes
 * the decision.
 */
export async function journey(world: World, ledger: Ledger, { seed, n }: { seed: number, n: number }): Promise<void> {
  const chance = chanceOf(seed, n)
  const scene: Scene = { world, ledger, chance, n, clinic: world.clinics[n % world.clinics.length]! }
  const desk = await signIn(scene)
  const sent = await writeAndSend(scene, desk)
  if (sent) {
    await decide(scene, sent, desk)
    await office(scene, sent, desk)
  }
  expectStatus(scene, 'a log-out', await desk.post('/api/v1/auth/logout'), 204)
  ledger.journeys += 1
}

function expectStatus({ ledger, n }: Scene, what: string, answer: Answer, ...expected: number[]): boolean {
  if (expected.includes(answer.status)) return true
  ledger.broken.push(
    `journey ${n}: ${what} answered ${answer.status} ${answer.body?.code ?? ''} in place of ${expected.join(' or ')}`
  )
  return false
}

/** Exactly one of several simultaneous calls must succeed. The others get a conflict. */
function expectOneWinner({ ledger, n }: Scene, what: string, answers: Answer[], { lost }: { lost: string[] }): void {
  const told = answers.map(({ status, body }) => status < 300 ? 'won' : `${status} ${body?.code}`)
  const isOne
    = told.filter(word => word === 'won').length === 1 && told.every(word => word === 'won' || lost.includes(word))
  if (!isOne) ledger.broken.push(`journey ${n}: ${what} at once answered ${told.join(', ')}`)
}

const address = (n: number, device: number) => `10.${1 + device}.${n >> 8 & 255}.${n & 255}`

async function signIn(scene: Scene): Promise<Caller> {
  const desk = scene.world.browser(address(scene.n, 0))
  const email = scene.chance.of(scene.clinic.staff)
  expectStatus(scene, 'a log-in', await desk.post('/api/v1/auth/login', { email, password: PASSWORD }), 200)
  return desk
}

function content({ chance, clinic }: Scene) {
  const count = chance.percent(4) ? 120 : 1 + chance.below(6)
  const items = Array.from({ length: count }, () => ({
    treatment_id: chance.of(clinic.treatments),
    quantity: 1 + chance.below(3),
    ...(chance.percent(30) ? { discount: { type: 'percent', value: String(1 + chance.below(40)) } } : {})
  }))
  return {
    professional_id: clinic.professional,
    items,
    ...(chance.percent(30) ? { global_discount: { type: 'amount', value: '5.00' } } : {})
  }
}

async function writeAndSend(scene: Scene, desk: Caller): Promise<Case | null> {
  const { chance, n, clinic, ledger } = scene
  const patient = await desk.post('/api/v1/clinical/patients', {
    first_name: `${MARKS.first_name}${n}`,
    last_name: MARKS.last_name,
    email: `p${n}@${MARKS.host}`,
    locale: chance.of(['en', 'es', 'fr', 'de'])
  })
  if (!expectStatus(scene, 'a patient', patient, 201)) return null
  const draft = await desk.post(BUDGETS, { patient_id: patient.body.data.id, ...content(scene) })
  if (!expectStatus(scene, 'a draft', draft, 201)) return null
  const id = draft.body.data.id as string
  const at = `${BUDGETS}/${id}`
  await desk.get(`${BUDGETS}?search=${MARKS.first_name.toLowerCase()}${n}&status=draft`)
  await desk.get(`${BUDGETS}?sort=${chance.of(['-created_at', 'number', 'total'])}&page=${1 + chance.below(3)}`)
  if (chance.percent(30)) await changeTwice(scene, desk, at)
  // A 500 is excused only by an active fault.
  if (chance.percent(20)) expectStatus(scene, 'a draft\'s PDF', await desk.get(`${at}/pdf`), 200, 500)

  const [channel, code] = [
    chance.percent(50) ? ('email' as const) : ('manual' as const),
    String(10_000_000 + chance.below(89_999_999))
  ]
  const answers = await Promise.all([1, 2].map(() => desk.post(`${at}/send`, { channel, code })))
  expectOneWinner(scene, 'two sends', answers, { lost: ['409 wrong_state'] })
  const url = answers.find(({ status }) => status === 200)?.body.data.url as string | undefined
  if (!url) return null
  const sent: Case = {
    id,
    clinic,
    token: url.split('/').at(-1)!,
    code,
    channel,
    outcome: 'sent',
    viewed: false,
    phone: null
  }
  ledger.cases.push(sent)
  return sent
}

async function changeTwice(scene: Scene, desk: Caller, at: string): Promise<void> {
  const read = await desk.get(at)
  const options = { headers: { 'if-match': read.headers.get('etag')! } }
  const changes = [1, 2].map(() => content(scene))
  expectOneWinner(
    scene,
    'two changes of one reading',
    await Promise.all(changes.map(change => desk.patch(at, change, options))),
    { lost: ['412 precondition_failed'] }
  )
}

async function decide(scene: Scene, sent: Case, desk: Caller): Promise<void> {
  const { world, chance, n } = scene
  const [phone, tablet] = [world.browser(address(n, 1)), world.browser(address(n, 2))]
  const base = `/api/v1/public/budgets/${sent.token}`
  expectStatus(scene, 'what anybody may see', await phone.get(`${base}/meta`), 200)
  if (chance.percent(20))
    expectStatus(scene, 'a wrong code', await tablet.post(`${base}/verify`, { code: '00000000' }), 401)
  if (chance.percent(10))
    expectStatus(
      scene,
      'a link that nobody made',
      await tablet.get(`/api/v1/public/budgets/${sent.token.slice(1)}x/meta`),
      404
    )
  if (chance.percent(10)) return // never opened
  for (const answer of await Promise.all(
    [phone, tablet].map(device => device.post(`${base}/verify`, { code: sent.code }))
  ))
    expectStatus(scene, 'the right code', answer, 200)
  for (const answer of await Promise.all([phone, tablet].map(device => device.get(base))))
    expectStatus(scene, 'a view', answer, 200)
  sent.viewed = true
  if (chance.percent(30)) expectStatus(scene, 'the PDF', await phone.get(`${base}/pdf`), 200, 500)
  sent.phone = phone
  await clickTwice(scene, { sent, base, devices: [phone, tablet], desk })
}

async function clickTwice(
  scene: Scene,
  { sent, base, devices, desk }: { sent: Case, base: string, devices: Caller[], desk: Caller }
): Promise<void> {
  const { chance, ledger, n } = scene
  const accept = (device: Caller) => device.post(`${base}/accept`, { ...ACCEPTANCE, signer_name: MARKS.signer_name })
  const reject = (device: Caller) => device.post(`${base}/reject`, { reason: MARKS.reason })
  const cancel = () => desk.post(`${BUDGETS}/${sent.id}/cancel`, {})
  const clicks: Promise<Answer>[][] = [[]]
  const dice = chance.below(100)
  if (dice < 60) clicks[0] = devices.flatMap(device => [accept(device), accept(device)])
  else if (dice < 75) clicks[0] = devices.flatMap(device => [reject(device), reject(device)])
  else if (dice < 88) clicks[0] = [accept(devices[0]!), reject(devices[1]!), accept(devices[0]!), reject(devices[1]!)]
  else if (dice < 95) clicks[0] = [accept(devices[0]!), cancel(), accept(devices[1]!)]
  else return
  const answers = await Promise.all(clicks[0])
  expectOneWinner(scene, 'decisions', answers, {
    lost: ['409 already_decided', '410 budget_cancelled', '409 wrong_state']
  })
  sent.outcome = answers.find(({ status }) => status === 200)?.body.data.status ?? 'sent'
  const seen = await devices[0]!.get(base)
  if (seen.body?.data?.status !== sent.outcome)
    ledger.broken.push(`journey ${n}: ${sent.outcome} is shown as ${seen.body?.data?.status}`)
}

async function office(scene: Scene, sent: Case, desk: Caller): Promise<void> {
  const { chance, clinic } = scene
  const base = `/api/v1/public/budgets/${sent.token}`
  expectStatus(scene, 'the detail', await desk.get(`${BUDGETS}/${sent.id}`), 200)
  await desk.get(`${BUDGETS}/${sent.id}/access-log`)
  if (chance.percent(20)) await clinic.admin.get('/api/v1/reports/acceptance?from=2026-01-01&to=2026-12-31')
  if (chance.percent(20)) await desk.get('/api/v1/budget/attention')
  if (sent.outcome === 'accepted' && sent.phone) {
    expectStatus(scene, 'the signed PDF', await sent.phone.get(`${base}/pdf/signed`), 200, 404)
    await invoice(scene, sent)
  }
  if (sent.phone && chance.percent(40)) {
    expectStatus(scene, 'an end of the session', await sent.phone.delete(`${base}/session`), 204)
    sent.phone = null
  }
}

/**
 * An event creates the draft invoice. If it exists already, two users try to issue it and to record its payment at
 * once.
 */
async function invoice(scene: Scene, sent: Case): Promise<void> {
  const { admin } = sent.clinic
  const { body } = await admin.get(`/api/v1/billing/invoices?budget_id=${sent.id}`)
  const [draft] = body.data
  if (!draft || !scene.chance.percent(60)) return
  const at = `/api/v1/billing/invoices/${draft.id}`
  expectOneWinner(scene, 'two issues', await Promise.all([1, 2].map(() => admin.post(`${at}/issue`))), {
    lost: ['409 wrong_state']
  })
  const payment = { amount: draft.total, method: 'cash', payment_id: randomUUID() }
  for (const answer of await Promise.all([1, 2].map(() => admin.post(`${at}/payments`, payment))))
    expectStatus(scene, 'one payment, sent twice', answer, 201)
}
