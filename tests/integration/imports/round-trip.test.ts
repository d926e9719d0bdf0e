import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPatient, aTreatment } from '../../support/builders.ts'
import type { Caller } from '../../support/caller.ts'
import { importFile, PATIENT_IMPORTS, TREATMENT_IMPORTS } from '../../support/imports.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

let instance: Instance
let here: Caller
let there: Caller
beforeAll(async () => {
  instance = await anInstance()
  here = await instance.as('admin')
  there = await instance.as('admin', await instance.anotherClinic())
})
afterAll(() => instance.close())

const HOSTILE = [
  '=1+1', '+34-1', '-cmd|calc', '@SUM(A1)', '\'quoted', '\'\'twice', '"a";b,c', 'two\nlines', 'carriage\r\nreturn', '-12.50',
  '=HYPERLINK("http://x.example")', '\t=1', '\u05E9\u05DF', 'ﷺ 🦷', 'a, b; c\td'
]
const exported = async (caller: Caller, list: string) => (await caller.get(`${list}/export.csv`)).bytes
const cells = (bytes: Buffer): string[][] => parse(bytes, { bom: true, record_delimiter: '\r\n', relax_column_count: true })

/** The import into the clinic of the file changes nothing. The import into an empty one adds everything once. */
async function comesBack(list: string, imports: string, count: number): Promise<void> {
  const file = await exported(here, list)
  expect((await importFile(here, imports, file)).counts).toEqual({ new: 0, changed: 0, same: count, wrong: 0 })
  expect(cells(await exported(here, list))).toEqual(cells(file))
  expect((await importFile(there, imports, file)).counts).toEqual({ new: count, changed: 0, same: 0, wrong: 0 })
  expect((await importFile(there, imports, file)).counts).toEqual({ new: 0, changed: 0, same: count, wrong: 0 })
  const sorted = (bytes: Buffer) => cells(bytes).map(row => row.map(cell => cell.replace(/^['\s]+/, '')).join('|')).sort()
  expect(sorted(await exported(there, list))).toEqual(sorted(file))
}

test('an exported patients file is unchanged when imported again, even with cells like formulas', async () => {
  for (const [at, notes] of HOSTILE.entries()) {
    const text = notes.replace(/[\n\r\t]/g, ' ').trim()
    await aPatient(here, {
      first_name: text, last_name: `Nr. ${at}`, notes, email: at % 2 ? `p${at}@x.example` : null,
      date_of_birth: at % 3 ? '1980-02-29' : null, locale: at % 2 ? 'ar' : 'fr', phone: at % 2 ? null : '+34 600 11 22 33',
      tax_number: at % 2 ? text.slice(0, 50) : null, address: at % 3 ? notes : null,
      ...at % 4 === 0 ? { external_ids: { import: text } } : {}
    })
  }
  await comesBack('/api/v1/clinical/patients', PATIENT_IMPORTS, HOSTILE.length)
})

test('twins with one address, and patients with the same name and no address, stay separate', async () => {
  const family = await instance.as('admin', await instance.anotherClinic())
  const twin = { last_name: 'Ruiz', email: 'casa@x.example', date_of_birth: '2010-01-02' }
  const namesake = { first_name: 'Eva', last_name: 'Gil', email: null, date_of_birth: null, phone: null }
  await aPatient(family, { ...twin, first_name: 'Zoe', notes: 'allergic to penicillin' })
  await aPatient(family, { ...twin, first_name: 'Ana', notes: 'none' })
  for (const notes of ['one', 'two']) await aPatient(family, { ...namesake, notes })
  const before = cells(await exported(family, '/api/v1/clinical/patients'))
  const { counts } = await importFile(family, PATIENT_IMPORTS, await exported(family, '/api/v1/clinical/patients'))
  expect(counts).toEqual({ new: 0, changed: 0, same: 4, wrong: 0 })
  expect(cells(await exported(family, '/api/v1/clinical/patients'))).toEqual(before)
})

test('an exported treatments file is unchanged when imported again, in every language and at every price', async () => {
  for (const [at, text] of HOSTILE.entries()) {
    const name = text.replace(/[\n\r\t]/g, ' ').trim()
    await aTreatment(here, {
      code: `T${at}`, name: { es: name, ar: `ar ${name}` }, description: { de: text }, unit_price: `${at * 1000}.05`,
      vat: at % 2 ? '21' : '5.5', active: at % 3 !== 0, counts: (['tooth', 'piece', 'once'] as const)[at % 3],
      surfaces: at % 6 || null, category: at % 2 ? 'restoration' : null
    })
  }
  await comesBack('/api/v1/catalog/treatments', TREATMENT_IMPORTS, HOSTILE.length)
})
