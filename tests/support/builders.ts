import type { Caller } from './caller.ts'
import type { Instance as Whole } from './instance.ts'

/** The builders work with an instance in this process and with the built server. */
type Instance = Pick<Whole, 'as' | 'sql' | 'clinic' | 'anonymous'>

export const BUDGETS = '/api/v1/budget/budgets'

type Fields = Record<string, unknown>

export async function aPatient(staff: Caller, fields: Fields = {}): Promise<any> {
  return created(
    staff.post('/api/v1/clinical/patients', {
      first_name: 'Lucía',
      last_name: 'Muñoz',
      email: 'lucia@patient.test',
      ...fields
    })
  )
}

let treatments = 0
export async function aTreatment(staff: Caller, fields: Fields = {}): Promise<any> {
  treatments += 1
  return created(
    staff.post('/api/v1/catalog/treatments', {
      // One word that is not a prefix of another one, so that a search for it finds only this treatment.
      code: `T${process.pid}N${String(treatments).padStart(5, '0')}`,
      name: { en: 'Filling', es: 'Empaste' },
      unit_price: '100.00',
      vat: '21',
      ...fields
    })
  )
}

export async function aProfessional(
  instance: Instance,
  clinic = instance.clinic,
  name = 'Elena Vidal'
): Promise<{ id: string }> {
  return created((await instance.as('admin', clinic)).post('/api/v1/clinical/professionals', { name }))
}

/** A draft, by default with one line of 100.00 at 21 %. Returns the staff's detail. */
export async function aDraft(instance: Instance, fields: Fields = {}): Promise<any> {
  const staff = await instance.as('admin')
  const needs = {
    patient_id: fields.patient_id ?? (await aPatient(staff)).id,
    professional_id: fields.professional_id ?? (await aProfessional(instance)).id,
    items: fields.items ?? [{ treatment_id: (await aTreatment(staff)).id }]
  }
  return created(staff.post(BUDGETS, { ...needs, ...fields }))
}

export interface SentBudget {
  id: string
  number: string
  token: string
  url: string
  code: string
  /** Base path of the public API. */ base: string
}

export async function aSentBudget(instance: Instance, fields: Fields = {}, send: Fields = {}): Promise<SentBudget> {
  const staff = await instance.as('admin')
  const draft = await aDraft(instance, fields)
  const code = String(send.code ?? '482913')
  const { body, status } = await staff.post(`${BUDGETS}/${draft.id}/send`, { channel: 'manual', ...send, code })
  if (status !== 200) throw new Error(`send answered ${status}: ${JSON.stringify(body)}`)
  const token = body.data.url.split('/').at(-1)
  return {
    id: draft.id,
    number: draft.number,
    token,
    url: body.data.url,
    code,
    base: `/api/v1/public/budgets/${token}`
  }
}

/** A patient's browser that has entered the code. */
export async function aVerifiedPatient(instance: Instance, budget: SentBudget): Promise<Caller> {
  const patient = instance.anonymous()
  const { status, body } = await patient.post(`${budget.base}/verify`, { code: budget.code })
  if (status !== 200) throw new Error(`verify answered ${status}: ${JSON.stringify(body)}`)
  return patient
}

export const ACCEPTANCE = {
  signer_name: 'Lucía Muñoz',
  relationship: 'patient',
  signature: { method: 'click' },
  consent: true
}

async function created(call: Promise<{ status: number, body: any }>): Promise<any> {
  const { status, body } = await call
  if (status !== 201) throw new Error(`expected 201, got ${status}: ${JSON.stringify(body)}`)
  return body.data
}

/**
 * Polls until `check` returns a value, by default for 40 s. `every` is in milliseconds. Without it the pauses grow,
 * because each poll delays the work that it waits for.
 */
export async function eventually<T>(
  check: () => Promise<T | null | undefined | false>,
  what = 'it',
  { within = 40_000, every }: { within?: number, every?: number } = {}
): Promise<T> {
  const start = performance.now()
  for (;;) {
    const found = await check()
    if (found) return found
    const waited = performance.now() - start
    if (waited > within) throw new Error(`${what} did not happen within ${within / 1000} s`)
    await new Promise(resolve => setTimeout(resolve, every ?? Math.min(25 + waited / 8, 100)))
  }
}
