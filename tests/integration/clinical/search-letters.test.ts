import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

const PATIENTS = '/api/v1/clinical/patients'
const SOUGHT = [
  ['Đặng', 'Dang'], ['Đặng', 'đặng'], ['Işık', 'Isik'], ['Þórsson', 'Thorsson'], ['D’Urso', 'Urso'], ['D’Urso', 'durso'],
  ['D’Urso', 'd\'urso'], ['O\'Brien-Łuk', 'brien'], ['O\'Brien-Łuk', 'luk']
] as const
let instance: Instance
let staff: Caller
beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('receptionist')
  for (const last_name of new Set(SOUGHT.map(([name]) => name)))
    await staff.post(PATIENTS, { first_name: 'Ana', last_name, email: 'ana@example.es' })
})
afterAll(() => instance.close())

const expectAllFound = async () => {
  for (const [name, question] of SOUGHT) {
    const { body } = await staff.get(`${PATIENTS}?search=${encodeURIComponent(question)}`)
    expect([question, body.data.map(({ last_name }: { last_name: string }) => last_name)]).toEqual([question, [name]])
  }
}

test('names with special letters, or with an apostrophe, are found as people type them', expectAllFound)

test('patients of earlier releases are found too, because the migration folds names as the service does', async () => {
  const searches = () => instance.sql`select id, search from clinical_patient order by id`
  const folded = await searches()
  // Rows as the previous release stored them.
  await instance.sql`update clinical_patient set search = case
    when last_name = 'Đặng' then 'đang ana ana@example.es' when last_name = 'Işık' then 'ısık ana ana@example.es'
    when last_name = 'Þórsson' then 'þorsson ana ana@example.es' when last_name = 'D’Urso' then 'durso ana ana@example.es'
    else 'obrien luk ana ana@example.es' end`
  const file = await readFile(new URL('../../../layers/clinical/migrations/0007_fold_more.sql', import.meta.url), 'utf8')
  for (const statement of file.split('--> statement-breakpoint')) await instance.sql.unsafe(statement)
  expect(await searches()).toEqual(folded)
  await expectAllFound()
})

test('treatments and clinicians of earlier releases are folded in the same way', async () => {
  const admin = await instance.as('admin')
  await admin.post('/api/v1/catalog/treatments', { code: 'D1', name: { fr: 'Mise d’Émail Đ' }, unit_price: '1.00', vat: '0' })
  await admin.post('/api/v1/clinical/professionals', { name: 'Dra. D’Ávila Þór' })
  const searches = async () => [
    ...await instance.sql`select search from catalog_treatment where code = 'D1'`,
    ...await instance.sql`select search from clinical_professional where name like 'Dra. D%'`
  ].map(({ search }) => search)
  const folded = await searches()
  await instance.sql`update catalog_treatment set search = 'd1 mise demail đ' where code = 'D1'`
  await instance.sql`update clinical_professional set search = 'dra. davila þor' where name like 'Dra. D%'`
  for (const path of ['clinical/migrations/0007', 'catalog/migrations/0006']) {
    const file = await readFile(new URL(`../../../layers/${path}_fold_more.sql`, import.meta.url), 'utf8')
    for (const statement of file.split('--> statement-breakpoint')) await instance.sql.unsafe(statement)
  }
  expect(await searches()).toEqual(folded)
})
