import type { BenchInstance } from '../support/instance.ts'
import { aSentBudget, aTreatment, aVerifiedPatient } from '../../support/builders.ts'
import { compare, type Figure } from '../support/measure.ts'

const CHOICES = 10
const OPTIONS = 5
const BASE = 10

/** The price of a selection in a large offer, compared with the view of the same budget. */
export async function priceSelection(instance: BenchInstance): Promise<Figure[]> {
  const staff = await instance.as('admin')
  const treatment = await aTreatment(staff)
  const line = { treatment_id: treatment.id }
  const budget = await aSentBudget(instance, {
    items: Array.from({ length: BASE }, () => line),
    global_discount: { type: 'percent', value: '7.5' },
    choices: Array.from({ length: CHOICES }, (_, choice) => ({
      title: `Choice ${choice}`,
      rule: 'exactly_one',
      options: Array.from({ length: OPTIONS }, (_, option) => ({ title: `Option ${option}`, items: [line] }))
    }))
  })
  const patient = await aVerifiedPatient(instance, budget)
  const { choices } = (await patient.get(budget.base)).body.data
  const selection = Object.fromEntries(choices.map(({ id, options }: any, n: number) => [id, options[n % OPTIONS].id]))
  const must = async (answer: Promise<{ status: number }>) => {
    const { status } = await answer
    if (status !== 200) throw new Error(`answered ${status}`)
  }
  return [await compare({
    name: 'price of a selection, 60 lines and 10 choices',
    baseline: { name: 'GET of the patient\'s view of the same budget', run: () => must(patient.get(budget.base)) },
    run: () => must(patient.post(`${budget.base}/price`, { selection })),
    at_most: 1.5,
    size: instance.size
  })]
}
