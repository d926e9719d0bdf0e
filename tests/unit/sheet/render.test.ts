import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PDFDict, PDFDocument, PDFName } from '@pdfme/pdf-lib'
import { describe, expect, test } from 'vitest'
import { drawnText } from '@svc/sheet/text/direction.ts'
import { inspectPdf } from '@svc/sheet/pdf/inspect.ts'
import { placeOf, TEETH } from '../../../layers/budget/shared/domain/teeth.ts'
import { toTemplate } from '@svc/sheet/pdf/render.ts'
import { aDecision, aDocument, aDrawing, layOutBudget, renderBudget, someLines } from '../../support/documents/budget-document.ts'

const about = { title: 'x', author: 'x', subject: 'x', language: 'en', date: new Date(0) }

const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '{{7*7}}',
  '{1+1}',
  '{totalPages}',
  '{date}',
  '${7*7}',
  '{p0m1}',
  '{Object.constructor("return 7")()}',
  '**x** [a](javascript:alert(1))',
  '(\\)'
]

describe('a PDF', () => {
  test('is identical, byte for byte, for the same document', async () => {
    const document = aDocument({ items: someLines(30), decision: aDecision({ method: 'drawn', image: aDrawing() }) })
    const [first, second] = [await renderBudget(document), await renderBudget(structuredClone(document))]
    expect(Buffer.compare(first.bytes, second.bytes)).toBe(0)
  })

  test('has title, language, real text and a date that comes from the document, not from the clock', async () => {
    const { bytes, pages, total } = await renderBudget(aDocument({ items: someLines(40) }))
    const pdf = await PDFDocument.load(bytes, { updateMetadata: false })
    expect(pdf.getTitle()).toBe('Presupuesto de tratamiento PRES-2026-0042')
    expect(pdf.catalog.getOrCreateViewerPreferences().getDisplayDocTitle()).toBe(true)
    expect(String(pdf.catalog.get(PDFName.of('Lang')))).toBe('(es)')
    expect(pdf.getCreationDate()).toEqual(new Date('2026-05-05T10:00:00Z'))
    expect(pdf.getPageCount()).toBe(pages)
    const { text } = await inspectPdf(bytes)
    expect(text).toContain(total)
    expect(text).toContain('Tratamiento 40')
  })

  test.each([
    ['en', 'en'],
    ['fr', 'fr'],
    ['de-AT', 'de'],
    ['pt', 'pt'],
    ['ar', 'ar'],
    ['el', 'en']
  ])('in %s has the language %s in its metadata', async (locale, language) => {
    const { bytes } = await renderBudget(aDocument({ locale }))
    const pdf = await PDFDocument.load(bytes, { updateMetadata: false })
    expect(String(pdf.catalog.get(PDFName.of('Lang')))).toBe(`(${language})`)
    expect(pdf.getCreationDate()).toEqual(new Date('2026-05-05T10:00:00Z'))
    expect(pdf.catalog.getOrCreateViewerPreferences().getDisplayDocTitle()).toBe(true)
  })

  test('has a letter as text even if an earlier document used it as a part of another letter', async () => {
    const typed = (signer_name: string) =>
      renderBudget(aDocument({ decision: aDecision({ method: 'typed', signer_name }) }))
    await typed('Ẃ')
    expect((await inspectPdf((await typed('W')).bytes)).text.split('\n').filter(line => line === 'W')).toHaveLength(3)
  })

  test('has the same metadata as XMP, with any characters in names', async () => {
    const { bytes } = await renderBudget(
      aDocument({ locale: 'ar', clinic: { ...aDocument().clinic, name: 'A & B <عيادة> "\u0001"' } })
    )
    const xmp = Buffer.from(bytes).toString('utf8').match(/<\?xpacket begin[\s\S]*<\?xpacket end="r"\?>/)![0]
    expect(xmp).toContain('<rdf:li>A &amp; B &lt;عيادة&gt; &quot; &quot;</rdf:li>')
    expect(xmp).toContain('<dc:language><rdf:Bag><rdf:li>ar</rdf:li></rdf:Bag></dc:language>')
    expect(xmp).toContain('<xmp:CreateDate>2026-05-05T10:00:00Z</xmp:CreateDate>')
  })

  test.each(['en', 'ar'])(
    'of 200 lines has all of them, only embedded fonts, and page numbers: %s',
    async (locale) => {
      const { bytes, pages } = await renderBudget(aDocument({ locale, items: someLines(200) }))
      const { text } = await inspectPdf(bytes)
      for (let line = 1; line <= 200; line++) expect(text).toContain(`Tratamiento ${line}\n`)
      for (let page = 1; page <= pages; page++)
        expect(text.split('\n')).toContain(
          drawnText(locale === 'ar' ? `صفحة ${page} من ${pages}` : `Page ${page} of ${pages}`)
        )
      const pdf = await PDFDocument.load(bytes, { updateMetadata: false })
      const fonts = pdf.context
        .enumerateIndirectObjects()
        .flatMap(([, object]) =>
          object instanceof PDFDict && object.get(PDFName.of('Type')) === PDFName.of('FontDescriptor') ? [object] : []
        )
      expect(fonts.length).toBeGreaterThan(0)
      for (const font of fonts) expect(font.has(PDFName.of('FontFile2'))).toBe(true)
    }
  )

  test('that is signed has the instant of the decision as its date', async () => {
    const { bytes } = await renderBudget(aDocument({ decision: aDecision() }))
    expect((await PDFDocument.load(bytes, { updateMetadata: false })).getCreationDate()).toEqual(
      new Date('2026-05-06T16:21:07Z')
    )
  })
})

describe('the chart of teeth in a PDF', () => {
  const teeth = (...codes: string[]) => someLines(1, { place: placeOf({ teeth: codes }) })

  test('is drawn as vectors with numbers and a list as text, and is absent without teeth', async () => {
    const { bytes } = await renderBudget(aDocument({ items: [...teeth('16'), ...teeth('36', '46')] }))
    const { text } = await inspectPdf(bytes)
    expect(text).toMatch(/Odontograma/)
    for (const said of ['Pieza 16', 'Pieza 46', 'Pieza 36', '38', '48', 'FDI']) expect(text).toContain(said)
    const pdf = await PDFDocument.load(bytes, { updateMetadata: false })
    const objects = pdf.context.enumerateIndirectObjects().map(([, object]) => String(object))
    expect(objects.some(object => /\/Subtype \/Image\b/.test(object))).toBe(false)
    expect((await inspectPdf((await renderBudget(aDocument())).bytes)).text).not.toMatch(/Odontograma/)
  })

  test('is not mirrored on a right-to-left page', () => {
    const xOf = (locale: string, number: string) => {
      const pages = layOutBudget(aDocument({ locale, items: teeth('55') })).pages
      return pages.flat().filter(mark => mark.kind === 'text').find(({ text }) => text === number)!.x
    }
    for (const locale of ['en', 'ar']) expect(xOf(locale, '18')).toBeLessThan(xOf(locale, '28'))
    expect(xOf('ar', '18')).toBeCloseTo(xOf('en', '18'), 3)
  })

  test('with many teeth continues on further pages, and no page is empty', async () => {
    for (const count of [1, 6, 7, 8, 9, 10, 32]) {
      const items = Array.from({ length: count }, (_, at) => ({ ...teeth(TEETH[at]!)[0]!, name: `T${at}` }))
      const { pages } = layOutBudget(aDocument({ items }))
      for (const marks of pages) expect(marks.filter(({ kind }) => kind === 'text').length).toBeGreaterThan(4)
    }
  })
})

describe('a text that people write', () => {
  test.each(HOSTILE)('is shown unchanged at every place: %s', async (text) => {
    const { bytes } = await renderBudget(aDocument({
      clinic: { name: text, address: text, phone: text, email: text, accent_color: text, logo: null },
      patient_name: text,
      professional_name: text,
      items: someLines(1, { name: text, place: placeOf({ site: text }) }),
      notes: text,
      status: 'accepted',
      decision: aDecision({ signer_name: text, method: 'typed' })
    }))
    const shown = (await inspectPdf(bytes)).text.replaceAll('\n', ' ').replaceAll(' ', '')
    expect(shown.split(text.replaceAll(' ', '')).length - 1).toBeGreaterThanOrEqual(8)
  })

  test('can contain emoji, NUL and direction overrides without an error', async () => {
    const name = `Ana\u0000 \u202Egnp.exe\u202C ${'🦷'.repeat(200)} 漢字`
    const { bytes } = await renderBudget(
      aDocument({ patient_name: name, decision: aDecision({ signer_name: name, method: 'typed' }) })
    )
    const { text } = await inspectPdf(bytes)
    expect(text).toContain('gnp.exe')
    for (const invisible of ['\0', '\u202E', '\u202C']) expect(text).not.toContain(invisible)
  })

  test('is never passed on as content of a schema, which pdfme would evaluate', () => {
    const { template } = toTemplate(layOutBudget(aDocument({ patient_name: '{1+1}' })), about)
    for (const schema of template.schemas.flat() as { content?: string, readOnly?: boolean }[]) {
      expect(schema.content).toBeUndefined()
      expect(schema.readOnly ?? false).toBe(false)
    }
  })

  test('never makes a PDF reader load external resources', async () => {
    let hits = 0
    const server = createServer((_, response) => {
      hits += 1
      response.end()
    }).listen(0, '127.0.0.1')
    await new Promise(resolve => server.once('listening', resolve))
    const canary = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.png`
    await renderBudget(
      aDocument({
        patient_name: canary,
        notes: `![x](${canary}) <img src="${canary}">`,
        items: someLines(1, { name: canary })
      })
    )
    server.close()
    expect(hits).toBe(0)
  })
})

describe('the reader of a PDF', () => {
  test('refuses an empty, a foreign and an incomplete file', async () => {
    const { bytes } = await renderBudget(aDocument())
    await expect(inspectPdf(new Uint8Array())).rejects.toThrow('%PDF-')
    await expect(inspectPdf(Buffer.from('<html>%%EOF'))).rejects.toThrow('%PDF-')
    await expect(inspectPdf(bytes.subarray(0, bytes.length - 100))).rejects.toThrow('%%EOF')
  })
})
