import { aDraft, aPatient, aSentBudget, BUDGETS, eventually, type SentBudget } from './builders.ts'
import type { Instance } from './instance.ts'
import { install } from './modules/packages.ts'
import { anInstance } from './instance.ts'

/** The behaviours of the fixture's provider: `tests/fixtures/modules/svc-module-texting`. */
export type Mode = 'on' | 'off' | 'broken' | 'down' | 'refuse' | 'quick' | 'lost' | 'quote'

export interface Text {
  id: string
  to: string
  locale: string
  kind: string
  text: string
  url: string | null
  subject: string | null
  calls: number
}

/** An instance with the fixture's channels `texting` and `board`. Reminders are only sent by `remind`. */
export async function anInstanceWithTexting(): Promise<Instance> {
  const instance = await anInstance()
  await install(instance, 'svc-module-texting')
  // The schedule adds no tick while the previous one is not done.
  await instance.sql`
    insert into core_delivery (module_name, kind, name, line, payload, next_attempt_at)
    values ('budget', 'job', 'send-reminders', 'cron:send-reminders', '{}', now() + interval '1 day')`
  return instance
}

export const setMode = async ({ sql }: Instance, mode: Mode) => void await sql`insert into texting_mode (mode) values (${mode})`

export async function textsTo({ sql }: Instance, to: string): Promise<Text[]> {
  return await sql<Text[]>`
    select id, "to", locale, kind, text, url, subject, calls from texting_message where "to" = ${to} order by ctid`
}

let made = 0
/** A patient with a phone number of their own. */
export async function aPatientWithPhone(instance: Instance, fields: Record<string, unknown> = {}) {
  const phone = `+34600${String(++made).padStart(6, '0')}`
  const patient = await aPatient(await instance.as('admin'), { phone, email: `p${made}@patient.test`, ...fields })
  return { id: patient.id as string, phone }
}

export async function aTextedBudget(
  instance: Instance,
  fields: Record<string, unknown> = {}
): Promise<SentBudget & { phone: string, patient_id: string }> {
  const { id: patient_id, phone } = await aPatientWithPhone(instance, fields)
  const budget = await aSentBudget(instance, { patient_id }, { channel: 'texting' })
  return { ...budget, phone, patient_id }
}

export async function aTextedDraft(instance: Instance, fields: Record<string, unknown> = {}) {
  const patient = await aPatientWithPhone(instance, fields)
  return { draft: await aDraft(instance, { patient_id: patient.id }), ...patient }
}

export const linkOf = async (instance: Instance, id: string) =>
  (await (await instance.as('admin')).get(`${BUDGETS}/${id}`)).body.data.link

export const becomes = (instance: Instance, id: string, delivery: string) =>
  eventually(async () => {
    const link = await linkOf(instance, id)
    return link.delivery === delivery && link
  }, `delivery ${delivery}`)

/** The provider's webhook reports this about the last text to this number. */
export async function reportTo(instance: Instance, phone: string, word: { state: string, reason?: string }) {
  const { id } = (await textsTo(instance, phone)).at(-1)!
  return await instance.anonymous().post('/api/v1/public/texting/reports', { ref: `ref-${id}`, ...word })
}

/** Runs one tick of the reminders. */
export async function remind(instance: Instance) {
  const { definition, ctx } = instance.runtime.host.registry.get('budget')!
  await definition.jobs!['send-reminders']!.run({}, ctx, { attempt: 1 })
}
