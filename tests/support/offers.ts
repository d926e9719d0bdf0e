import { ACCEPTANCE, aSentBudget, aTreatment, aVerifiedPatient, type SentBudget } from './builders.ts'
import type { Caller } from './caller.ts'
import type { Instance } from './instance.ts'

type Price = '100.00' | '200.00' | '300.00' | '50.00'
/** Treatments without tax, by their prices. */
export type Treatments = Record<Price, string>

export async function aCatalog(staff: Caller): Promise<Treatments> {
  const of = async (unit_price: Price) =>
    (await aTreatment(staff, { unit_price, vat: '0', name: { en: `For ${unit_price}` } })).id as string
  return {
    '100.00': await of('100.00'),
    '200.00': await of('200.00'),
    '300.00': await of('300.00'),
    '50.00': await of('50.00')
  }
}

export interface Ids { a: string, a1: string, a2: string, b: string, b1: string }
export const idsOf = ({ choices: [a, b] }: any): Ids =>
  ({ a: a.id, a1: a.options[0].id, a2: a.options[1].id, b: b.id, b1: b.options[0].id })
export const cheap = ({ a, a1, b }: Ids) => ({ [a]: a1, [b]: null })
export const dear = ({ a, a2, b, b1 }: Ids) => ({ [a]: a2, [b]: b1 })

/** The offer of the specification's examples, in the form in which it is sent to the API. */
export function offers(treatments: () => Treatments) {
  const line = (price: Price) => ({ treatment_id: treatments()[price] })
  const anOption = (title: string, price: Price, more: Record<string, unknown> = {}) =>
    ({ title, items: [line(price)], ...more })
  /** Choice A `exactly_one` of A1 200.00 and A2 300.00; extra B 50.00 `at_most_one`. */
  const choices = () => [
    {
      title: 'The gap',
      rule: 'exactly_one',
      options: [
        anOption('Bridge', '200.00'),
        anOption('Implant', '300.00', { recommended: true, description: 'Lasts' })
      ]
    },
    { title: 'Whitening', rule: 'at_most_one', options: [anOption('Whitening', '50.00')] }
  ]
  /** Base 100.00. */
  const offer = (fields: Record<string, unknown> = {}) => ({ items: [line('100.00')], choices: choices(), ...fields })
  return { line, anOption, choices, offer }
}

/** A sent budget with these fields, and its patient's session. */
export async function openOffer(instance: Instance, fields: Record<string, unknown>) {
  const budget: SentBudget = await aSentBudget(instance, fields)
  const patient = await aVerifiedPatient(instance, budget)
  return {
    budget,
    patient,
    view: async () => (await patient.get(budget.base)).body.data,
    price: (selection: unknown) => patient.post(`${budget.base}/price`, { selection }),
    accept: (body: Record<string, unknown>) => patient.post(`${budget.base}/accept`, { ...ACCEPTANCE, ...body })
  }
}
