import { ACCEPTANCE, aSentBudget, aVerifiedPatient, eventually, type SentBudget } from '../builders.ts'
import type { Caller } from '../caller.ts'
import type { Instance } from '../instance.ts'
import { INVOICES } from './invoices.ts'

export const ADVANCES = '/api/v1/billing/advances'
export const YEAR = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Madrid', year: 'numeric' }).format(new Date())

/** The calls that tests of advances make, by a member with the permissions. */
export function advanceCalls(instance: Instance, staff: Caller) {
  const record = (budget_id: string, amount: string, fields: object = {}) =>
    staff.post(ADVANCES, { budget_id, amount, method: 'card', ...fields })
  const invoiceOf = async (id: string) => (await staff.get(`${INVOICES}?budget_id=${id}`)).body.data[0]
  return {
    record,
    invoiceOf,
    returnAdvance: (id: string, body: object = { reason: 'The patient moves away.' }) =>
      staff.post(`${ADVANCES}/${id}/reverse`, body),
    issue: (id: string) => staff.post(`${INVOICES}/${id}/issue`),
    read: async (id: string) => (await staff.get(`${ADVANCES}/${id}`)).body.data,
    /** A budget of 121.00 with its draft invoice. `choose` makes the selection of one with choices. */
    async accepted(
      fields: Record<string, unknown> = {},
      choose?: (view: any) => Record<string, string | null>
    ): Promise<SentBudget & { invoice: string }> {
      const budget = await aSentBudget(instance, fields)
      const patient = await aVerifiedPatient(instance, budget)
      const selection = choose?.((await patient.get(budget.base)).body.data)
      const chosen = selection && {
        selection,
        content_digest: (await patient.post(`${budget.base}/price`, { selection })).body.data.content_digest
      }
      const { status } = await patient.post(`${budget.base}/accept`, { ...ACCEPTANCE, ...chosen })
      if (status !== 200) throw new Error(`accept answered ${status}`)
      const invoice = await eventually(() => invoiceOf(budget.id), 'the draft invoice')
      return { ...budget, invoice: invoice.id }
    },
    async advance(budget_id: string, amount: string, fields: object = {}) {
      const { status, body } = await record(budget_id, amount, fields)
      if (status !== 201) throw new Error(`the advance answered ${status}: ${JSON.stringify(body)}`)
      return body.data
    }
  }
}
