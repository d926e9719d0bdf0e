import { PDFDocument } from '@pdfme/pdf-lib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawSheet } from '@svc/sheet/draw-sheet.ts'
import { budgetSheet } from '../../../../layers/budget/server/pdf/budget-sheet.ts'
import { aDraft, aTreatment, BUDGETS } from '../../../support/builders.ts'
import { aDocument, renderBudget, someLines } from '../../../support/documents/budget-document.ts'
import type { Caller } from '../../../support/caller.ts'
import { anInstance, type Instance } from '../../../support/instance.ts'
import { anInterlacedPng, aPng } from '../../../support/browser/pictures.ts'

let instance: Instance
let staff: Caller
let path: string
beforeAll(async () => {
  instance = await anInstance()
  staff = await instance.as('admin')
  const treatment = await aTreatment(staff)
  const draft = await aDraft(instance, { items: Array.from({ length: 200 }, () => ({ treatment_id: treatment.id })) })
  path = `${BUDGETS}/${draft.id}/pdf`
  await staff.get(path) // loads the modules that draw
})
afterAll(() => instance.close())

const budgetCtx = () => instance.runtime.host.registry.get('budget')!.ctx
const aLongOne = () => aDocument({ items: someLines(200) })

test('while long documents are drawn, all other requests are answered', async () => {
  let isOver = false
  const drawn = Promise.all(Array.from({ length: 4 }, () => staff.get(path))).finally(() => { isOver = true })
  let answered = 0
  for (; !isOver; answered++) expect((await instance.anonymous().get('/api/v1/public/clinics/nobody/logo')).status).toBe(404)
  expect((await drawn).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(answered).toBeGreaterThan(20)
})

test('a document has the same bytes in every process, whatever is drawn at the same time', async () => {
  const document = aLongOne()
  const { bytes } = await renderBudget(document)
  const draw = () => drawSheet(budgetCtx(), budgetSheet(document), document.clinic)
  for (const drawn of await Promise.all([draw(), draw(), draw()])) {
    expect(Buffer.from(drawn.bytes).equals(bytes)).toBe(true)
  }
})

const picturesIn = async (pdf: Buffer) => {
  const objects = (await PDFDocument.load(pdf, { updateMetadata: false })).context.enumerateIndirectObjects()
  return objects.filter(([, object]) => /\/Subtype \/Image\b/.test(object.toString())).length
}

test('a logo from before the limits is scaled down for documents, or left out and reported by the doctor', async () => {
  const store = async (logo: Buffer) =>
    await instance.sql`update core_clinic set logo = ${logo}, logo_type = 'image/png' where id = ${instance.clinic.id}`
  const draw = async () => (await staff.get(path)).bytes
  await store(await aPng(2000, 1000))
  expect(await picturesIn(await draw())).toBe(1)

  await store(await anInterlacedPng())
  expect(await picturesIn(await draw())).toBe(0)
  const { body } = await (await instance.asInstanceAdmin()).get('/api/v1/modules/-/doctor')
  expect(body.data.advice).toContainEqual({
    code: 'logo', object: 'Clínica Peñalver',
    message: 'Documents are drawn without the logo. The PNG is interlaced. Save it without interlacing.',
    fix: 'Upload the logo again.'
  })
})
