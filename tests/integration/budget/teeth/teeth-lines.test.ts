import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aDraft, aPatient, aTreatment, BUDGETS } from '../../../support/builders.ts'
import type { Caller } from '../../../support/caller.ts'
import { anInstance, type Instance } from '../../../support/instance.ts'

let instance: Instance
let staff: Caller
let treatment_id: string
beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('admin')
  treatment_id = (await aTreatment(staff)).id
})
afterAll(() => instance.close())

const line = (fields: Record<string, unknown> = {}) => ({ treatment_id, ...fields })
const drafted = async (...items: Record<string, unknown>[]) =>
  (await aDraft(instance, { items: items.map(line) })).items
async function refused(fields: Record<string, unknown>): Promise<string[]> {
  const { id: patient_id } = await aPatient(staff)
  const { status, body } = await staff.post(BUDGETS, { patient_id, items: [line(fields)] })
  expect([status, body.code]).toEqual([422, 'validation_failed'])
  return body.errors.map(({ pointer }: { pointer: string }) => pointer)
}

describe('a line', () => {
  test('has teeth as FDI codes, surfaces of one of them, an area, or a place as text', async () => {
    const items = await drafted(
      { teeth: ['16'], surfaces: ['M', 'O'] },
      { teeth: ['11', '21'] },
      { area: 'upper_jaw' },
      { site: 'upper lip' },
      {}
    )
    expect(items).toMatchObject([
      { teeth: ['16'], surfaces: ['M', 'O'], area: null, site: null },
      { teeth: ['11', '21'], surfaces: [], area: null },
      { teeth: [], surfaces: [], area: 'upper_jaw', site: null },
      { teeth: [], area: null, site: 'upper lip' },
      { tooth: null, surfaces: null }
    ])
    expect(Object.keys(items[4])).not.toEqual(expect.arrayContaining(['teeth']))
  })

  test('has a quantity of one for each tooth, unless another one is given', async () => {
    const items = await drafted({ teeth: ['37', '47'] }, { teeth: ['37', '47'], quantity: 1 }, { area: 'full_mouth' }, {})
    expect(items.map(({ quantity }: { quantity: number }) => quantity)).toEqual([2, 1, 1, 1])
  })

  test.each<[Record<string, unknown>, string]>([
    [{ teeth: ['19'] }, '/items/0/teeth/0'],
    [{ teeth: ['16', '16'] }, '/items/0/teeth/1'],
    [{ teeth: ['16', 'A'] }, '/items/0/teeth/1'],
    [{ teeth: '16' }, '/items/0/teeth'],
    [{ teeth: [16] }, '/items/0/teeth/0'],
    [{ teeth: ['16'], surfaces: ['I'] }, '/items/0/surfaces/0'],
    [{ teeth: ['16'], surfaces: ['M', 'M'] }, '/items/0/surfaces/1'],
    [{ teeth: ['16'], surfaces: ['X'] }, '/items/0/surfaces'],
    [{ teeth: ['16'], surfaces: 'MO' }, '/items/0/surfaces'],
    [{ teeth: ['16', '17'], surfaces: ['M'] }, '/items/0/surfaces'],
    [{ surfaces: ['M'] }, '/items/0/surfaces'],
    [{ area: 'upper_jaw', surfaces: ['M'] }, '/items/0/surfaces'],
    [{ teeth: ['16'], area: 'upper_jaw' }, '/items/0/area'],
    [{ area: 'quadrant_5' }, '/items/0/area'],
    [{ site: 'x'.repeat(51) }, '/items/0/site'],
    [{ teeth: ['16'], tooth: '16' }, '/items/0/tooth'],
    [{ teeth: [], tooth: '16' }, '/items/0/tooth'],
    [{ site: 'lip', tooth: 'lip' }, '/items/0/tooth']
  ])('%j is 422 at %s', async (fields, pointer) => {
    const pointers = await refused(fields)
    expect(pointers.some(one => one.startsWith(pointer))).toBe(true)
  })

  test('accepts the old fields for one release', async () => {
    expect(await drafted(
      { tooth: '16', surfaces: 'MO' },
      { tooth: '11, 21' },
      { tooth: '16', surfaces: 'B' },
      { tooth: null, surfaces: null },
      { tooth: '' }
    )).toMatchObject([
      { teeth: ['16'], surfaces: ['M', 'O'], site: null, tooth: null, quantity: 1 },
      { teeth: [], surfaces: [], site: '11, 21', quantity: 1 },
      { teeth: ['16'], surfaces: [], site: 'B' },
      { tooth: null, surfaces: null },
      { tooth: null, surfaces: null }
    ])
  })

  test('keeps its teeth when it is sent back unchanged, and is recognised by them without an id', async () => {
    const draft = await aDraft(instance, { items: [line({ teeth: ['16'] }), line({ teeth: ['26'] })] })
    const items = draft.items.map(({ id, treatment_id, teeth, surfaces, area, site, tooth }: any) =>
      ({ id, treatment_id, teeth, surfaces, area, site, tooth }))
    const path = `${BUDGETS}/${draft.id}`
    const same = await staff.patch(path, { items })
    expect([same.status, same.body.data.items]).toMatchObject([200, [{ teeth: ['16'] }, { teeth: ['26'] }]])
    const turned = await staff.patch(path, { items: [line({ teeth: ['26'] }), line({ teeth: ['16'] })] })
    expect(turned.body.data.items.map(({ id }: any) => id)).toEqual([items[1].id, items[0].id])
  })

  test('can have teeth in an option too', async () => {
    const option = (title: string, teeth: string[]) => ({ title, items: [line({ teeth })] })
    const choices = [{ title: 'Gap', rule: 'exactly_one', options: [option('Bridge', ['35', '36', '37']), option('Implant', ['36'])] }]
    const draft = await aDraft(instance, { items: [], choices })
    expect(draft).toMatchObject({
      tooth_notation: 'fdi',
      choices: [{ options: [{ items: [{ teeth: ['35', '36', '37'], quantity: 3 }] }, { items: [{ teeth: ['36'] }] }] }]
    })
    const { id: patient_id } = await aPatient(staff)
    const wrong = [{ ...choices[0], options: [option('Bridge', ['35']), option('Implant', ['99'])] }]
    const { status, body } = await staff.post(BUDGETS, { patient_id, items: [], choices: wrong })
    expect([status, body.errors[0].pointer]).toEqual([422, '/choices/0/options/1/items/0/teeth/0'])
  })
})

describe('the tooth notation', () => {
  test('is the clinic\'s in a draft, and absent if no line names a tooth', async () => {
    const clinic = await instance.anotherClinic()
    const admin = await instance.as('admin', clinic)
    expect((await admin.get('/api/v1/auth/screen')).body.data.settings.budget.tooth_notation).toBe('fdi')
    expect((await admin.patch('/api/v1/clinic', { tooth_notation: 'zsigmondy' })).status).toBe(422)
    const { body } = await admin.patch('/api/v1/clinic', { tooth_notation: 'palmer' })
    expect(body.data.tooth_notation).toBe('palmer')
    expect((await admin.get('/api/v1/auth/screen')).body.data.settings.budget.tooth_notation).toBe('palmer')
    const { id: patient_id } = await aPatient(admin)
    const { id } = await aTreatment(admin)
    const drafted = async (fields: object) =>
      (await admin.post(BUDGETS, { patient_id, items: [{ treatment_id: id, ...fields }] })).body.data
    expect(await drafted({ teeth: ['16'] })).toMatchObject({ tooth_notation: 'palmer', items: [{ teeth: ['16'] }] })
    expect(await drafted({ area: 'upper_jaw' })).not.toHaveProperty('tooth_notation')
  })

  test('primary teeth are drawn for a patient under 13', async () => {
    const born = async (date_of_birth: string) => {
      const { id: patient_id } = await aPatient(staff, { date_of_birth })
      return aDraft(instance, { patient_id, items: [line({ teeth: ['16'] })] })
    }
    const year = new Date().getUTCFullYear()
    expect(await born(`${year - 8}-01-15`)).toMatchObject({ deciduous: true })
    expect(await born(`${year - 20}-01-15`)).not.toHaveProperty('deciduous')
  })
})
