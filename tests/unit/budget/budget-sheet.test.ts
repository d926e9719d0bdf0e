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

describe('one page', () => {
  const { pages } = layOutBudget(aDocument({ notes: 'En tres visitas.' }))
  const words = wordsOf(pages[0]!)

  test('shows clinic, title, number, version, patient, professional, validity, lines, totals and notes', () => {
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

  test('the note of a line stands below its name', () => {
    const [page] = layOutBudget(aDocument({ items: someLines(1, { note: 'Sin metal' }) })).pages
    const [name, note] = ['Tratamiento 1', 'Sin metal'].map(text => textsOf(page!).find(mark => mark.text === text)!)
    expect(note!.x).toBe(name!.x)
    expect(note!.baseline).toBeGreaterThan(name!.baseline)
  })

  test('uses the type scale and nothing else, inside the margins', () => {
    for (const mark of textsOf(pages[0]!)) {
      expect(Object.values(SIZE)).toContain(mark.size)
      expect(mark.x).toBeGreaterThanOrEqual(PAGE.left - 0.01)
      expect(mark.x + mark.width).toBeLessThanOrEqual(PAGE.width - PAGE.right + 0.01)
      expect(mark.baseline).toBeLessThan(PAGE.height)
    }
  })

  test('an original price is shown, and struck, if and only if it differs', () => {
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

  test('without any discount there is no column, no sum and no strike for it', () => {
    const words = wordsOf(layOutBudget(aDocument({ items: someLines(1) })).pages[0]!)
    expect(words).not.toContain('Precio original')
    expect(words).not.toContain('Descuento')
  })

  test('the shown prices add up to the shown total, in the digits of the currency', () => {
    const items = someLines(2, { price: 1500n, original_price: 1500n })
    expect(wordsOf(layOutBudget(aDocument({ items, currency: 'JPY', locale: 'en' })).pages[0]!)).toContain('¥3,000')
    expect(wordsOf(layOutBudget(aDocument({ items, currency: 'KWD', locale: 'en' })).pages[0]!)).toContain('KWD\u00A03.000')
  })

  test('the state is a word, except for an open budget', () => {
    expect(wordsOf(layOutBudget(aDocument({ status: 'expired', locale: 'en' })).pages[0]!)).toContain('Expired')
    expect(words).not.toContain('Abierto')
  })

  test.each([
    ['fr', '16 mai 2026', '3 000,50 €'],
    ['de', '16. Mai 2026', '3.000,50 €'],
    ['pt', '16 de maio de 2026', '3000,50 €']
  ])('dates and sums are written as people write them in %s', (locale, date, total) => {
    const items = someLines(1, { price: 300_050n, original_price: 300_050n })
    const words = wordsOf(
      layOutBudget(aDocument({ items, locale, dated_at: new Date('2026-05-16T10:00:00Z') })).pages[0]!
    ).map(word => word.replace(/\s/g, ' '))
    expect(words).toEqual(expect.arrayContaining([date, total]))
  })

  test('a language without labels is served in English, numbers and dates too', () => {
    const { language, pages } = layOutBudget(aDocument({ locale: 'el' }))
    expect(language).toBe('en')
    expect(wordsOf(pages[0]!)).toContain('Treatment budget')
  })

  test('the first language counts that a PDF can be written in', () => {
    expect(documentLocale('el', 'es')).toBe('es')
    expect(documentLocale('el', 'ru')).toBe('en')
    expect(documentLocale('ar', 'es')).toBe('ar')
  })
})

describe('a page in Arabic', () => {
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

  test('is turned around as a whole: what stands on the left elsewhere stands as far from the right', () => {
    for (const name of ['Clínica Peñalver', 'María José Núñez', 'تاج خزفي', 'a3f1c0de'.repeat(8)].slice(0, 3)) {
      expect(rightOf(at(arabic!, name))).toBeCloseTo(PAGE.width - at(spanish!, name).x)
    }
    expect(at(arabic!, 'صفحة 1 من 1').x).toBeCloseTo(PAGE.left)
    expect(arabic!.find(mark => mark.kind === 'dots')!.x).toBeGreaterThan(PAGE.width / 2)
  })

  test('keeps digits below each other: figures stand on the right of their column', () => {
    const prices = textsOf(arabic!).filter(
      mark => mark.face === 'bold' && mark.text.includes('€') && mark.size === SIZE.body
    )
    expect(prices).toHaveLength(2)
    expect(rightOf(prices[0]!)).toBeCloseTo(rightOf(prices[1]!))
    expect(prices[0]!.width).not.toBeCloseTo(prices[1]!.width)
  })

  test('strikes the original price where it stands', () => {
    const struck = textsOf(arabic!).find(mark => mark.text.includes('107.31') && mark.color !== COLOR.ink)!
    const strike = boxesOf(arabic!).find(box => Math.abs(box.height - 0.7) < 0.001)!
    expect(strike.x).toBeCloseTo(struck.x - 0.5)
  })

  test.each([
    ['ar', '11، 21', 'تاج خزفي؛ حشوة'],
    ['es', '11, 21', 'تاج خزفي; حشوة']
  ])('lists teeth and treatments with the marks of the language: %s', (locale, teeth, treatments) => {
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

describe('many lines', () => {
  const long = 'Endodoncia multirradicular con medicación intraconducto y reconstrucción provisional de larga duración'
  const { pages } = layOutBudget(
    aDocument({ items: someLines(60).map((line, index) => ({ ...line, name: `${index} ${long}` })) })
  )

  test('flow over pages that each repeat the table\'s heading and count themselves', () => {
    expect(pages.length).toBeGreaterThan(2)
    pages.forEach((page, index) => {
      expect(wordsOf(page)).toContain('Cantidad')
      expect(wordsOf(page)).toContain(`Página ${index + 1} de ${pages.length}`)
      expect(wordsOf(page)).toContain(index === 0 ? 'Clínica Peñalver' : 'PRES-2026-0042 · Versión 1')
    })
  })

  test('are never cut in two: both lines of a name and its price stand on one page, above the foot', () => {
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

  test('the total never stands alone on a page', () => {
    for (let count = 18; count < 30; count++) {
      const { pages } = layOutBudget(aDocument({ items: someLines(count) }))
      const last = pages.find(page => wordsOf(page).includes('Total'))!
      expect(wordsOf(last).some(word => word.startsWith('Tratamiento '))).toBe(true)
    }
  })

  test('a name that is longer than a page goes on on the next one', () => {
    const { pages } = layOutBudget(aDocument({ items: someLines(1, { name: 'palabra '.repeat(1200) }) }))
    expect(pages.length).toBeGreaterThan(1)
    for (const page of pages) for (const mark of textsOf(page)) expect(mark.baseline).toBeLessThan(PAGE.height - 20)
  })

  test('long notes flow over pages', () => {
    const { pages } = layOutBudget(aDocument({ notes: 'Una nota muy larga que sigue.\n'.repeat(120) }))
    expect(pages.length).toBeGreaterThan(1)
    expect(pages.flatMap(wordsOf).filter(word => word.startsWith('Una nota'))).toHaveLength(120)
  })
})

describe('the decision', () => {
  const signed = (decision: Parameters<typeof aDecision>[0]) =>
    layOutBudget(aDocument({ status: 'accepted', locale: 'en', decision: aDecision(decision) })).pages[0]!

  test('names signer, relationship, method, both times with offset, digest and the check page', () => {
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
    // The time with its offset and zone wraps beside its label.
    expect(words.join(' ')).toContain('May 6, 2026, 18:21:07 (UTC+02:00, Europe/Madrid)')
  })

  test('the check page can be clicked', () => {
    expect(signed({})).toContainEqual(expect.objectContaining({ kind: 'link', url: 'https://clinic.test/verify' }))
  })

  test('a drawing is shown in its proportions, a typed name in a hand, a click as a sentence', () => {
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

  test('shows the check page\'s address as a QR code of 2 cm and more, with white around it and a link on it', () => {
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

  test('is not cut from its heading', () => {
    for (let count = 1; count < 22; count++) {
      const { pages } = layOutBudget(aDocument({ items: someLines(count), locale: 'en', decision: aDecision() }))
      const page = pages.find(marks => wordsOf(marks).includes('Acceptance'))!
      expect(wordsOf(page)).toContain('https://clinic.test/verify')
    }
  })
})

describe('an instant', () => {
  test('carries the offset that holds then, summer and winter', () => {
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
