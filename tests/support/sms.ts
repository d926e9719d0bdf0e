import { randomUUID } from 'node:crypto'
import type { Ctx } from '@svc/kit'
import { aPatient } from './builders.ts'
import { anInstance, type Instance } from './instance.ts'
import { schedule } from './modules/packages.ts'
import type { Gateway } from './outside/sms-gateway.ts'
import { ACCOUNT, SENDER, TOKEN, type TwilioStandIn } from './outside/twilio.ts'

type Fields = Record<string, unknown>

export const SMS_SETTINGS = '/api/v1/clinic/settings/sms'

/** An instance whose operator has installed the module, and that may call loopback. The clinic is in Spain. */
export async function anInstanceWithSms(env: Record<string, string> = {}): Promise<Instance> {
  const instance = await anInstance({ env: { SVC_WEBHOOK_ALLOW_PRIVATE: 'true', ...env } })
  await schedule(instance, 'install', 'sms')
  await instance.restart()
  const { status } = await (await instance.as('admin')).patch('/api/v1/clinic', { country: 'ES' })
  if (status !== 200) throw new Error(`the clinic's country was refused: ${status}`)
  return instance
}

export const smsOf = (instance: Instance) => instance.runtime.host.registry.get('sms')!
export const smsCtx = (instance: Instance): Ctx => smsOf(instance).ctx
/** The context of a module that sends, as the host gives it. */
export const senderCtx = (instance: Instance): Ctx => instance.runtime.host.registry.get('budget')!.ctx

export async function setSms(instance: Instance, change: Fields, clinic = instance.clinic): Promise<void> {
  const { status, body } = await (await instance.as('admin', clinic)).patch(SMS_SETTINGS, change)
  if (status !== 200) throw new Error(JSON.stringify(body))
}

export const useTwilio = (instance: Instance, { url }: TwilioStandIn, change: Fields = {}) =>
  setSms(instance, {
    provider: 'twilio', twilio_account: ACCOUNT, twilio_token: TOKEN, twilio_sender: SENDER, twilio_url: url, ...change
  })

export const useGateway = (instance: Instance, { url }: Gateway, change: Fields = {}) =>
  setSms(instance, { provider: 'http', http_url: `${url}/send`, http_key: 'gateway-key-7', ...change })

let made = 0
export async function aMobilePatient(instance: Instance, fields: Fields = {}, clinic = instance.clinic) {
  const number = `+34611${String(++made).padStart(6, '0')}`
  const patient = await aPatient(await instance.as('admin', clinic), {
    phone: number, email: `sms${made}@patient.test`, locale: 'es', ...fields
  })
  return { id: patient.id as string, number }
}

/** A message as the budget module sends it. */
export const aMessage = (instance: Instance, { id, number }: { id?: string, number: string }, fields: Fields = {}) => ({
  id: randomUUID() as string,
  clinic_id: instance.clinic.id,
  to: number,
  ...id ? { recipient_id: id } : {},
  locale: 'es',
  kind: 'link' as const,
  text: 'Clinica: su presupuesto: https://b.test/b/K7Q4-9XTM',
  url: 'https://b.test/b/K7Q4-9XTM',
  ...fields
})

export async function rowOf({ sql }: Instance, id: string): Promise<any> {
  const [row] = await sql`select * from sms_message where id = ${id}`
  return row && { ...row }
}

export async function today({ sql }: Instance, clinic_id: string): Promise<{ sent: number, refused: number }> {
  const [row] = await sql<{ sent: number, refused: number }[]>`select sent, refused from sms_day where clinic_id = ${clinic_id}`
  return row ? { ...row } : { sent: 0, refused: 0 }
}
