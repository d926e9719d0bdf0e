import { ACCEPTANCE, aSentBudget, aVerifiedPatient, eventually } from '../builders.ts'
import type { Caller } from '../caller.ts'
import { INVOICES } from '../documents/invoices.ts'
import { anInstance, type Instance } from '../instance.ts'

export const REQUESTS = '/api/v1/payments/requests'
const SETTINGS = '/api/v1/clinic/settings/payments'

/** For transfers, of the examples of the IBAN registry. */
export const TRANSFER = {
  provider: 'transfer', iban: 'ES9121000418450200051332', creditor: 'Clínica Peñalver', deposit: 'percent', deposit_percent: '30'
}

/** An instance whose operator has installed the module. */
export async function aPayingInstance(settings: object = TRANSFER): Promise<Instance> {
  const instance = await anInstance({ env: { SVC_WEBHOOK_ALLOW_PRIVATE: 'true' } })
  await installPayments(instance)
  await choose(await instance.as('admin'), settings)
  return instance
}

export async function installPayments(instance: Instance): Promise<void> {
  const admin = await instance.asInstanceAdmin()
  const { status, body } = await admin.post('/api/v1/modules/payments/install', {})
  if (status !== 202) throw new Error(`install answered ${status}: ${JSON.stringify(body)}`)
  await instance.restart()
  const { broken } = instance.runtime.host.registry
  if (broken.length > 0) throw new Error(JSON.stringify(broken))
}

/** Changes settings of the clinic's payments. */
export async function choose(staff: Caller, settings: object): Promise<void> {
  const { status, body } = await staff.patch(SETTINGS, settings)
  if (status !== 200) throw new Error(`the settings answered ${status}: ${JSON.stringify(body)}`)
}

/** The calls that tests of payments make, by a member with the permissions. */
export function paymentCalls(instance: Instance, staff: Caller) {
  const read = async (id: string) => (await staff.get(`${REQUESTS}/${id}`)).body.data
  const depositOf = async (budget_id: string) =>
    (await staff.get(`${REQUESTS}?budget_id=${budget_id}`)).body.data[0]
  const advancesOf = async (budget_id: string) =>
    (await staff.get(`/api/v1/billing/advances?budget_id=${budget_id}&sort=number`)).body.data
  return {
    read,
    depositOf,
    advancesOf,
    /** A budget of 121.00 whose deposit is asked for. */
    async accepted(fields: object = {}) {
      const budget = await aSentBudget(instance, fields as Record<string, unknown>)
      const patient = await aVerifiedPatient(instance, budget)
      const { status, body } = await patient.post(`${budget.base}/accept`, ACCEPTANCE)
      if (status !== 200) throw new Error(`accept answered ${status}: ${JSON.stringify(body)}`)
      const request = await eventually(() => depositOf(budget.id), 'the request')
      return { budget, patient, request, pay: `${budget.base}/x/payments/${request.id}/pay` }
    },
    /** An issued invoice of 121.00. */
    async issued() {
      const budget = await aSentBudget(instance)
      const patient = await aVerifiedPatient(instance, budget)
      await patient.post(`${budget.base}/accept`, ACCEPTANCE)
      const invoice = await eventually(
        async () => (await staff.get(`${INVOICES}?budget_id=${budget.id}`)).body.data[0], 'the draft invoice'
      )
      await staff.post(`${INVOICES}/${invoice.id}/issue`)
      return { budget, invoice: (await staff.get(`${INVOICES}/${invoice.id}`)).body.data }
    },
    /** The API's path of the page of a request. */
    async payPath(id: string): Promise<string> {
      const [row] = await instance.sql`select token_sealed from payments_request where id = ${id}`
      const token = instance.runtime.host.secrets.open('payments link', row!.token_sealed)
      return `/api/v1/public/payments/pay/${Buffer.from(token).toString()}`
    },
    /** The advances of a budget, once there are so many. */
    recorded: (budget_id: string, count = 1) =>
      eventually(async () => {
        const rows = await advancesOf(budget_id)
        return rows.length >= count && rows
      }, 'the advance')
  }
}
