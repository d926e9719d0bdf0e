import { PDFDocument } from '@pdfme/pdf-lib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { money } from '../../layers/budget/app/utils/display.ts'
import { modulesOf } from '@svc/sheet/layout/qr-code.ts'
import { drawnText } from '@svc/sheet/text/direction.ts'
import { inspectPdf } from '@svc/sheet/pdf/inspect.ts'
import { printable } from '@svc/sheet/text/text.ts'
import type en from '../../layers/budget/i18n/locales/en.json'
import { ACCEPTANCE, aPatient, aProfessional, aSentBudget, aTreatment, aVerifiedPatient } from '../support/builders.ts'
import { documentsOf, type Documents } from '../support/documents/documents.ts'
import { anInstance, type Instance } from '../support/instance.ts'
import { aPdfDesk, withPoppler } from '../support/documents/pdf-tools.ts'
import { LANGUAGES, textsOf } from '../support/texts.ts'

let instance: Instance
let docs: Documents
const desk = aPdfDesk()
beforeAll(async () => {
  instance = await anInstance()
  docs = await documentsOf(instance)
  await instance.sql`update core_clinic set address = ${'Calle Mayor 1\n28013 Madrid'}, phone = '+34 910 000 000', email = 'hola@clinic.test' where id = ${instance.clinic.id}`
})
afterAll(async () => {
  await instance.close()
  desk.close()
})

const NAME = {
  en: 'Root canal treatment (3 visits)',
  es: 'Endodoncia multirradicular (3 visitas)',
  fr: 'Traitement endodontique – 3 séances',
  de: 'Wurzelkanalbehandlung für größere Zähne',
  pt: 'Endodontia com restauração e reabilitação',
  ar: 'علاج العصب والأسنان (3 زيارات)'
}
const NOTES
  = 'Nüchtern kommen.\nΠαρακαλώ 15 λεπτά νωρίτερα.\nПожалуйста, возьмите снимки.\nيرجى الحضور قبل الموعد بـ 15 دقيقة (مع الأشعة).'

const pageIn = (locale: string) => textsOf<typeof en>('layers/budget/i18n/locales', locale).budget

async function signedIn(locale: string) {
  const staff = await instance.as('admin')
  const treatment = await aTreatment(staff, { unit_price: '1234.56', name: NAME })
  const items = Array.from({ length: 24 }, (_, at) => ({
    treatment_id: treatment.id,
    quantity: 1 + at,
    ...(at % 3 ? {} : { tooth: '16', discount: { type: 'percent', value: '10' } })
  }))
  const budget = await aSentBudget(instance, {
    patient_id: (await aPatient(staff, { first_name: 'María José', last_name: 'Núñez الهاشمي' })).id,
    professional_id: (await aProfessional(instance, instance.clinic, 'Élise O’Brien')).id,
    items,
    global_discount: { type: 'amount', value: '100.00' },
    patient_notes: NOTES
  })
  const patient = await aVerifiedPatient(instance, budget)
  await patient.post(`${budget.base}/accept?locale=${locale}`, { ...ACCEPTANCE, signer_name: 'María José Núñez' })
  await docs.isReady(budget.id)
  const { bytes } = await patient.get(`${budget.base}/pdf/signed`)
  return { bytes, view: (await patient.get(`${budget.base}?locale=${locale}`)).body.data }
}

type Signed = Awaited<ReturnType<typeof signedIn>>

/** What the patient's page shows for the same version, value by value, with the page's words and number formats. */
function valuesOf(view: any, locale: string): string[] {
  const page = pageIn(locale)
  const price = (amount: string) => money(amount, view.currency, locale)
  return [
    view.clinic.name,
    ...view.clinic.address.split('\n'),
    view.clinic.phone,
    view.clinic.email,
    view.number,
    `${view.patient.first_name} ${view.patient.last_name}`,
    view.professional.name,
    ...view.items.flatMap((item: any) => [
      item.name,
      String(item.quantity),
      price(item.price),
      ...(item.original_price === item.price ? [] : [price(item.original_price)])
    ]),
    price(view.totals.original),
    price(`-${view.totals.discount}`),
    price(view.totals.total),
    price(view.totals.tax),
    ...view.patient_notes.split('\n'),
    page.lines.treatment,
    page.field.quantity,
    page.field.price,
    page.field.original,
    page.field.discount,
    page.field.total,
    page.open.notes,
    page.status.accepted,
    view.content_digest
  ]
}

const squeezed = (text: string) => text.replace(/[\s\p{Cf}]+/gu, '')

const bare = (text: string) => squeezed(text).replace(/[()]/g, '')
/** poppler writes the two characters of lām-alif, and some brackets, in visual order. */
const seen = (text: string) => bare(text).replace(/ل(\p{Mn}*)([اآأإ])/gu, '$2$1ل')

describe.each(LANGUAGES)('the text of the signed PDF is the page\'s, in %s', (locale) => {
  let signed: Signed
  let values: string[]
  beforeAll(async () => {
    signed = await signedIn(locale)
    values = valuesOf(signed.view, locale)
  })

  test('has all treatments with quantity, price and original price, totals, names, notes and labels', async () => {
    const { text, pages } = await inspectPdf(signed.bytes)
    expect(pages).toBeGreaterThan(1)
    const found = squeezed(text)
    expect(values.length).toBeGreaterThan(90)
    expect(values.filter(value => !found.includes(squeezed(drawnText(printable(value)))))).toEqual([])
    // The list of the tooth chart names the treatment once more.
    const lines = text.slice(0, text.indexOf(drawnText(printable(pageIn(locale).teeth.title))))
    expect(lines.split(drawnText(printable(signed.view.items[0].name))).length - 1).toBe(24)
  })

  withPoppler('and as another program reads it', async () => {
    const found = bare(await desk.text(signed.bytes))
    const wanted
      = locale === 'ar'
        ? values.flatMap(value => value.split(/[^\p{L}\p{M}\p{N}.,:@/+-]+/u)).filter(Boolean)
        : values.filter(value => !/\p{Script=Arabic}/u.test(value))
    expect(wanted.filter(value => !found.includes(seen(value)))).toEqual([])
  })
})

describe('the QR code', () => {
  withPoppler(
    'on the page as it is seen has the modules of the check page\'s address, dark on white with a quiet zone',
    async () => {
      const { bytes } = await signedIn('en')
      const rows = modulesOf(`${instance.url}/verify`)
      const file = await PDFDocument.load(bytes, { updateMetadata: false })
      const page = file.getPageCount()
      const png = await desk.picture(bytes, { dpi: 300, page })
      const dark = (x: number, y: number) => png.data[(Math.round(y) * png.width + Math.round(x)) * 4]! < 128
      const [left, top, side] = findCode(png, dark)
      expect((side / 300) * 2.54).toBeGreaterThan(2)
      const step = side / rows.length
      const read = rows.map((row, y) =>
        Array.from(row, (_, x) => (dark(left + (x + 0.5) * step, top + (y + 0.5) * step) ? '1' : '0')).join('')
      )
      expect(read).toEqual(rows)
      for (let at = -4; at < rows.length + 4; at++) {
        for (const edge of [-3.5, -0.5, rows.length + 0.5, rows.length + 3.5]) {
          expect(dark(left + edge * step, top + (at + 0.5) * step)).toBe(false)
          expect(dark(left + (at + 0.5) * step, top + edge * step)).toBe(false)
        }
      }
    }
  )
})

type Picture = Awaited<ReturnType<typeof desk.picture>>

/** The lowest finder pattern on the left edge: the longest unbroken dark column where the page's ink starts. */
function findCode(png: Picture, dark: (x: number, y: number) => boolean): [left: number, top: number, side: number] {
  let left = 0
  while (!Array.from({ length: png.height }, (_, y) => y).some(y => longRun(y, left))) left++
  const starts = Array.from({ length: png.height }, (_, y) => y).filter(y => longRun(y, left) && !dark(left, y - 1))
  const [top, lower] = [starts[0]!, starts.at(-1)!]
  let finder = 0
  while (dark(left + 1, top + finder)) finder++
  return [left, top, lower - top + finder]

  /** A finder pattern is seven modules high, which is about 60 dots here. */
  function longRun(y: number, x: number): boolean {
    for (let down = 0; down < 40; down++) if (y + down >= png.height || !dark(x, y + down)) return false
    return true
  }
}
