import { describe, expect, test } from 'vitest'
import { modulesOf } from '@svc/sheet/layout/qr-code.ts'
import { budgetSheet } from '../../../layers/budget/server/pdf/budget-sheet.ts'
import { displayInstant } from '../../../layers/budget/server/pdf/format.ts'
import { documentLocale } from '../../../layers/budget/server/pdf/labels.ts'
import { placeOf } from '../../../layers/budget/shared/domain/teeth.ts'
import type { Mark } from '@svc/sheet/layout/marks.ts'
import { COLOR, PAGE, SIZE } from '@svc/sheet/layout/style.ts'
import { aDecision, aDocument, aDrawing, layOutBudget, someLines } from '../../support/documents/budget-document.ts'

type Text = Extract<Mark, { kind: 'text' }>
const textsOf = (marks: Mark[]) => marks.filter((mark): mark is Text => mark.kind === 'text')
const wordsOf = (marks: Mark[]) => textsOf(marks).map(mark => mark.text)
const boxesOf = (marks: Mark[]) => marks.filter(mark => mark.kind === 'box')

describe('the PDF of a budget on one page', () => {
  const { pages } = layOutBudget(aDocument({ notes: 'En tres visitas.' }))
  const words = wordsOf(pages[0]!)

  test('shows clinic, title, number, version, patient, clinician, validity, lines, totals and notes', () => {
    expect(pages).toHaveLength(1)
    expect(words).toEqual(
      expect.arrayContaining([
        'Clínica Peñalver',
        'Calle Mayor 1',
        '+34 910 000 000',
        'Presupuesto de tratamiento',
        'PRES-2026-0042',
        'Versión 1',
        'María José Núñez',
        'Elena Vidal',
        'hasta el',
        '4 de junio de 2026 inclusive',
        'Tratamiento 1',
        'Total',
        'En tres visitas.',
        'Página 1 de 1'
      ])
    )
  })

  test('shows the note of a line below the line\'s name', () => {
    const [page] = layOutBudget(aDocument({ items: someLines(1, { note: 'Sin metal' }) })).pages
    const [name, note] = ['Tratamiento 1', 'Sin metal'].map(text => textsOf(page!).find(mark => mark.text === text)!)
    expect(note!.x).toBe(name!.x)
    expect(note!.baseline).toBeGreaterThan(name!.baseline)
  })

  test('uses only the sizes of the type scale, inside the margins', () => {
    for (const mark of textsOf(pages[0]!)) {
      expect(Object.values(SIZE)).toContain(mark.size)
      expect(mark.x).toBeGreaterThanOrEqual(PAGE.left - 0.01)
      expect(mark.x + mark.width).toBeLessThanOrEqual(PAGE.width - PAGE.right + 0.01)
      expect(mark.baseline).toBeLessThan(PAGE.height)
    }
  })

  test('shows an original price, struck through, if and only if it differs', () => {
    const [whole, reduced] = someLines(2)
    const [page] = layOutBudget(aDocument({ items: [whole!, reduced!] })).pages
    const original = textsOf(page!).find(mark => mark.text === '107,31\u00A0€')!
    const strikes = boxesOf(page!).filter(box => Math.abs(box.height - 0.7) < 0.001)
    expect(strikes).toHaveLength(1)
    expect(strikes[0]!.x).toBeCloseTo(original.x - 0.5)
    expect(strikes[0]!.width).toBeCloseTo(original.width + 1)
    expect(strikes[0]!.y).toBeGreaterThan(original.baseline - original.size)
    expect(strikes[0]!.y).toBeLessThan(original.baseline)
    expect(wordsOf(page!).filter(word => word === '100,00\u00A0€')).toHaveLength(1)
  })

  test('has no discount column, no discount total and no struck price when there is no discount', () => {
    const words = wordsOf(layOutBudget(aDocument({ items: someLines(1) })).pages[0]!)
    expect(words).not.toContain('Precio original')
    expect(words).not.toContain('Descuento')
  })

  test('shows prices that add up to the total, with the decimals of the currency', () => {
    const items = someLines(2, { price: 1500n, original_price: 1500n })
    expect(wordsOf(layOutBudget(aDocument({ items, currency: 'JPY', locale: 'en' })).pages[0]!)).toContain('¥3,000')
    expect(wordsOf(layOutBudget(aDocument({ items, currency: 'KWD', locale: 'en' })).pages[0]!)).toContain('KWD\u00A03.000')
  })

  test('shows the state as a word, except for an open budget', () => {
    expect(wordsOf(layOutBudget(aDocument({ status: 'expired', locale: 'en' })).pages[0]!)).toContain('Expired')
    expect(words).not.toContain('Abierto')
  })

  test.each([
    ['fr', '16 mai 2026', '3 000,50 €'],
    ['de', '16. Mai 2026', '3.000,50 €'],
    ['pt', '16 de maio de 2026', '3000,50 €']
  ])('writes dates and amounts as is usual in %s', (locale, date, total) => {
    const items = someLines(1, { price: 300_050n, original_price: 300_050n })
    const words = wordsOf(
      layOutBudget(aDocument({ items, locale, dated_at: new Date('2026-05-16T10:00:00Z') })).pages[0]!
    ).map(word => word.replace(/\s/g, ' '))
    expect(words).toEqual(expect.arrayContaining([date, total]))
  })

  test('is in English, with English numbers and dates, for a language without labels', () => {
    const { language, pages } = layOutBudget(aDocument({ locale: 'el' }))
    expect(language).toBe('en')
    expect(wordsOf(pages[0]!)).toContain('Treatment budget')
  })

  test('is in the first requested language that a PDF can be written in', () => {
    expect(documentLocale('el', 'es')).toBe('es')
    expect(documentLocale('el', 'ru')).toBe('en')
    expect(documentLocale('ar', 'es')).toBe('ar')
  })
})

describe('the PDF of a budget in Arabic', () => {
  const items = someLines(2, { name: 'تاج خزفي' })
  const document = aDocument({
    locale: 'ar',
    items,
    notes: 'العلاج على ثلاث زيارات.',
    status: 'accepted',
    decision: aDecision()
  })
  const [arabic] = layOutBudget(document).pages
  const [spanish] = layOutBudget({ ...document, locale: 'es' }).pages
  const at = (page: Mark[], text: string) => textsOf(page).find(mark => mark.text.includes(text))!
  const rightOf = (mark: Text) => mark.x + mark.width

  test('mirrors the whole page: the distance from the right equals that from the left in other languages', () => {
    for (const name of ['Clínica Peñalver', 'María José Núñez', 'تاج خزفي', 'a3f1c0de'.repeat(8)].slice(0, 3)) {
      expect(rightOf(at(arabic!, name))).toBeCloseTo(PAGE.width - at(spanish!, name).x)
    }
    expect(at(arabic!, 'صفحة 1 من 1').x).toBeCloseTo(PAGE.left)
    expect(arabic!.find(mark => mark.kind === 'dots')!.x).toBeGreaterThan(PAGE.width / 2)
  })

  test('aligns digits in a column at the right', () => {
    const prices = textsOf(arabic!).filter(
      mark => mark.face === 'bold' && mark.text.includes('€') && mark.size === SIZE.body
    )
    expect(prices).toHaveLength(2)
    expect(rightOf(prices[0]!)).toBeCloseTo(rightOf(prices[1]!))
    expect(prices[0]!.width).not.toBeCloseTo(prices[1]!.width)
  })

  test('draws the strike line over the original price', () => {
    const struck = textsOf(arabic!).find(mark => mark.text.includes('107.31') && mark.color !== COLOR.ink)!
    const strike = boxesOf(arabic!).find(box => Math.abs(box.height - 0.7) < 0.001)!
    expect(strike.x).toBeCloseTo(struck.x - 0.5)
  })

  test.each([
    ['ar', '11، 21', 'تاج خزفي؛ حشوة'],
    ['es', '11, 21', 'تاج خزفي; حشوة']
  ])('lists teeth and treatments with the punctuation of the language: %s', (locale, teeth, treatments) => {
    const placed = ['تاج خزفي', 'حشوة'].flatMap(name =>
      someLines(1, { name, place: placeOf({ teeth: ['11', '21'] }) }))
    const { rows, figure } = budgetSheet(aDocument({ locale, items: placed }))
    expect(rows[0]).toContain(teeth)
    expect(figure!.list.map(([, text]) => text)).toEqual([treatments, treatments])
  })

  test('stays inside the margins', () => {
    for (const page of [arabic!, ...layOutBudget(aDocument({ locale: 'ar', items: someLines(60) })).pages]) {
      for (const mark of textsOf(page)) {
        expect(mark.x, mark.text).toBeGreaterThanOrEqual(PAGE.left - 0.01)
        expect(rightOf(mark), mark.text).toBeLessThanOrEqual(PAGE.width - PAGE.right + 0.01)
      }
    }
  })
})

describe('the PDF of a budget with many lines', () => {
  const long = 'Endodoncia multirradicular con medicación intraconducto y reconstrucción provisional de larga duración'
  const { pages } = layOutBudget(
    aDocument({ items: someLines(60).map((line, index) => ({ ...line, name: `${index} ${long}` })) })
  )

  test('repeats the table heading on each page and numbers the pages', () => {
    expect(pages.length).toBeGreaterThan(2)
    pages.forEach((page, index) => {
      expect(wordsOf(page)).toContain('Cantidad')
      expect(wordsOf(page)).toContain(`Página ${index + 1} de ${pages.length}`)
      expect(wordsOf(page)).toContain(index === 0 ? 'Clínica Peñalver' : 'PRES-2026-0042 · Versión 1')
    })
  })

  test('keeps both lines of a name and the price together on one page, above the footer', () => {
    const rows = pages.flatMap(page =>
      textsOf(page)
        .filter(mark => /^\d+ Endodoncia/.test(mark.text))
        .map(first => ({ page, first }))
    )
    expect(rows).toHaveLength(60)
    for (const { page, first } of rows) {
      const below = textsOf(page).filter(
        mark => mark.x === first.x && mark.baseline > first.baseline && mark.baseline - first.baseline < 14
      )
      expect(below, first.text).toHaveLength(1)
      expect(below[0]!.baseline).toBeLessThan(PAGE.height - PAGE.bottom)
      expect(textsOf(page).some(mark => mark.baseline === first.baseline && mark.text.endsWith('€'))).toBe(true)
    }
  })

  test('never has the total alone on a page', () => {
    for (let count = 18; count < 30; count++) {
      const { pages } = layOutBudget(aDocument({ items: someLines(count) }))
      const last = pages.find(page => wordsOf(page).includes('Total'))!
      expect(wordsOf(last).some(word => word.startsWith('Tratamiento '))).toBe(true)
    }
  })

  test('continues a name that is longer than a page on the next page', () => {
    const { pages } = layOutBudget(aDocument({ items: someLines(1, { name: 'palabra '.repeat(1200) }) }))
    expect(pages.length).toBeGreaterThan(1)
    for (const page of pages) for (const mark of textsOf(page)) expect(mark.baseline).toBeLessThan(PAGE.height - 20)
  })

  test('continues long notes on further pages', () => {
    const { pages } = layOutBudget(aDocument({ notes: 'Una nota muy larga que sigue.\n'.repeat(120) }))
    expect(pages.length).toBeGreaterThan(1)
    expect(pages.flatMap(wordsOf).filter(word => word.startsWith('Una nota'))).toHaveLength(120)
  })
})

describe('the acceptance on the PDF of a budget', () => {
  const signed = (decision: Parameters<typeof aDecision>[0]) =>
    layOutBudget(aDocument({ status: 'accepted', locale: 'en', decision: aDecision(decision) })).pages[0]!

  test('has signer, relationship, method, both times with offset, fingerprint and the check page', () => {
    const words = wordsOf(signed({ relationship: 'guardian' }))
    expect(words).toEqual(
      expect.arrayContaining([
        'Acceptance',
        'María José Núñez',
        'Parent or guardian',
        'May 6, 2026, 16:21:07 UTC',
        'Content fingerprint (SHA-256)',
        'a3f1c0de'.repeat(8),
        'https://clinic.test/verify'
      ])
    )
    // The time with its offset and time zone wraps beside its label.
    expect(words.join(' ')).toContain('May 6, 2026, 18:21:07 (UTC+02:00, Europe/Madrid)')
  })

  test('has a clickable link to the check page', () => {
    expect(signed({})).toContainEqual(expect.objectContaining({ kind: 'link', url: 'https://clinic.test/verify' }))
  })

  test('shows a drawing in its proportions, a typed name in a handwriting font, and a click as a sentence', () => {
    const picture = signed({ method: 'drawn', image: aDrawing(300, 100) }).find(mark => mark.kind === 'image')!
    expect(picture.width / picture.height).toBeCloseTo(3)
    expect(textsOf(signed({ method: 'typed' })).find(mark => mark.face === 'script')?.text).toBe('María José Núñez')
    expect(
      textsOf(signed({ method: 'typed', signer_name: 'محمد العلي' }))
        .filter(mark => mark.text === 'محمد العلي')
        .map(mark => mark.face)
    ).toEqual(['regular', 'regular', 'regular'])
    expect(wordsOf(signed({ method: 'click' })).join(' ')).toContain('Accepted with a click')
  })

  test('has the check page\'s address as a linked QR code of at least 2 cm with a white margin', () => {
    const marks = signed({})
    const code = marks.find(mark => mark.kind === 'dots')!
    expect(code.rows).toEqual(modulesOf('https://clinic.test/verify'))
    expect(code.width / 72 * 2.54).toBeGreaterThan(2)
    const quiet = 4 * code.width / code.rows.length
    for (const mark of marks) {
      if (mark === code || mark.kind === 'link' || mark.kind === 'image') continue
      const y = mark.kind === 'text' ? mark.baseline - mark.size : mark.y
      const height = mark.kind === 'text' ? mark.size * 1.25 : mark.height
      const beside = mark.x >= code.x + code.width + quiet || mark.x + mark.width <= code.x - quiet
      expect(beside || y >= code.y + code.height + quiet || y + height <= code.y - quiet, JSON.stringify(mark)).toBe(
        true
      )
    }
    expect(marks.filter(mark => mark.kind === 'link')).toContainEqual({
      kind: 'link',
      url: 'https://clinic.test/verify',
      x: code.x,
      y: code.y,
      width: code.width,
      height: code.height
    })
  })

  test('stays on the same page as its heading', () => {
    for (let count = 1; count < 22; count++) {
      const { pages } = layOutBudget(aDocument({ items: someLines(count), locale: 'en', decision: aDecision() }))
      const page = pages.find(marks => wordsOf(marks).includes('Acceptance'))!
      expect(wordsOf(page)).toContain('https://clinic.test/verify')
    }
  })
})

describe('an instant on the PDF of a budget', () => {
  test('has the offset of its own date, in summer and in winter', () => {
    expect(displayInstant(new Date('2026-07-01T10:00:00Z'), 'en', 'Europe/Madrid')).toBe(
      'July 1, 2026, 12:00:00 (UTC+02:00, Europe/Madrid)'
    )
    expect(displayInstant(new Date('2026-12-01T10:00:00Z'), 'en', 'Europe/Madrid')).toBe(
      'December 1, 2026, 11:00:00 (UTC+01:00, Europe/Madrid)'
    )
    expect(displayInstant(new Date('2026-12-01T23:30:00Z'), 'en', 'Asia/Kathmandu')).toBe(
      'December 2, 2026, 05:15:00 (UTC+05:45, Asia/Kathmandu)'
    )
    expect(displayInstant(new Date('2026-12-01T10:00:00Z'), 'en', 'Atlantic/Reykjavik')).toContain('(UTC+00:00')
  })
})
