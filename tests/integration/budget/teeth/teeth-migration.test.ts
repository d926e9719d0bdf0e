import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aDraft, aSentBudget, aTreatment, BUDGETS } from '../../../support/builders.ts'
import { anInstance, type Instance } from '../../../support/instance.ts'
import { readOldPlace } from '../../../../layers/budget/shared/domain/teeth-input.ts'

let instance: Instance
beforeAll(async () => {
  instance = await anInstance()
})
afterAll(() => instance.close())

const file = (direction: '' | '.down') =>
  readFileSync(new URL(`../../../../layers/budget/migrations/0013_teeth${direction}.sql`, import.meta.url), 'utf8')
const run = async (sql: string) => {
  for (const statement of sql.split('--> statement-breakpoint')) await instance.sql.unsafe(statement)
}

const OLD: [string | null, string | null][] = [
  ['16', 'MO'],
  [' 16 ', 'm-o, d'],
  ['55', null],
  ['55', 'O'],
  ['73', 'IL'],
  ['16', 'I'],
  ['36', 'P'],
  ['16', 'B'],
  ['16', 'MM'],
  ['16', '-'],
  ['11, 21', 'M'],
  ['19', null],
  [null, 'MO'],
  ['upper jaw', ''],
  [null, null]
]

test('texts in drafts are migrated to teeth, surfaces and sites, as requests are read; sent budgets keep them, and the way back restores them', async () => {
  const staff = await instance.as('admin')
  const { id: treatment_id } = await aTreatment(staff)
  const draft = await aDraft(instance, { items: OLD.map(() => ({ treatment_id, quantity: 2 })) })
  const sent = await aDraft(instance, { items: [{ treatment_id }] })
  await run(file('.down'))
  for (const [index, [tooth, surfaces]] of OLD.entries())
    await instance.sql`
      update budget_item set tooth = ${tooth}, surfaces = ${surfaces}
      where budget_id = ${draft.id} and position = ${index + 1}`
  await instance.sql`update budget_item set tooth = '16', surfaces = 'MO' where budget_id = ${sent.id}`
  await instance.sql`update budget set status = 'sent' where id = ${sent.id}`
  await run(file(''))

  const { body } = await staff.get(`${BUDGETS}/${draft.id}`)
  const read = body.data.items.map(({ teeth = [], surfaces, area = null, site = null }: any) =>
    ({ teeth, surfaces: surfaces ?? [], area, site }))
  expect(read).toEqual(OLD.map(([tooth, surfaces]) => readOldPlace(tooth, surfaces)))
  expect(body.data.items.every(({ quantity }: any) => quantity === 2)).toBe(true)
  const [kept] = await instance.sql`select tooth, surfaces, teeth, site from budget_item where budget_id = ${sent.id}`
  expect(kept).toEqual({ tooth: '16', surfaces: 'MO', teeth: null, site: null })

  await run(file('.down'))
  const [first] = await instance.sql`
    select tooth, surfaces, quantity from budget_item where budget_id = ${draft.id} and position = 1`
  expect(first).toEqual({ tooth: '16', surfaces: 'MO', quantity: 2 })
  await run(file(''))
  await aSentBudget(instance, { items: [{ treatment_id, teeth: ['16'] }] })
})
