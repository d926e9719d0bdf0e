import type { Caller } from '../caller.ts'
import type { Instance as Whole } from '../instance.ts'

/** With an instance in this process or with the built server. */
type Instance = Pick<Whole, 'sql' | 'clinic'>

export const INVOICES = '/api/v1/billing/invoices'

/**
 * Drafts as `billing` creates them from accepted budgets, each with one line for the whole total. Returns their ids.
 * Their budgets have numbers of an earlier year, which no budget of a test has.
 */
export async function someInvoices(
  instance: Instance,
  count: number,
  fields: {
    clinic?: { id: string }
    total?: number
    currency?: string
    locale?: string
    first_name?: string
    last_name?: string
  } = {}
): Promise<string[]> {
  const {
    clinic = instance.clinic,
    total = 12_100,
    currency = 'EUR',
    locale = 'es',
    first_name = 'Lucía',
    last_name = 'Muñoz'
  } = fields
  // Without a tax number, the clinic issues only pro formas.
  await instance.sql`update core_clinic set tax_number = coalesce(tax_number, 'B12345674') where id = ${clinic.id}`
  const tax = Math.round(total - total / 1.21)
  const rows = await instance.sql`
    insert into billing_invoice (clinic_id, budget_id, budget_number, budget_version, patient_id, patient_first_name, patient_last_name, currency, locale, total, tax_total)
    select ${clinic.id}, gen_random_uuid(), 'PRES-2019-' || lpad(n::text, 4, '0'), 1, gen_random_uuid(), ${first_name}, ${last_name}, ${currency}, ${locale}, ${total}, ${tax}
    from generate_series(1, ${count}::int) n returning id`
  await instance.sql`
    insert into billing_invoice_line (invoice_id, clinic_id, position, treatment_id, code, name, quantity, vat, price, tax)
    select id, clinic_id, 0, gen_random_uuid(), 'T-1', '{"en": "Filling", "es": "Empaste"}', 1, 2100, ${total}, ${tax} from billing_invoice where id = any(${rows.map(row => row.id)})`
  return rows.map(row => row.id as string)
}

export async function anInvoice(instance: Instance, fields: Parameters<typeof someInvoices>[2] = {}): Promise<string> {
  const [id] = await someInvoices(instance, 1, fields)
  return id!
}

export async function anIssuedInvoice(
  instance: Instance,
  staff: Caller,
  fields: Parameters<typeof someInvoices>[2] = {}
): Promise<any> {
  const { status, body } = await staff.post(`${INVOICES}/${await anInvoice(instance, fields)}/issue`)
  if (status !== 200) throw new Error(`issue answered ${status}: ${JSON.stringify(body)}`)
  return body.data
}
