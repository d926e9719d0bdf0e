import { describe, expect, test } from 'vitest'
import en from '../../../layers/budget/i18n/locales/en.json' with { type: 'json' }
import es from '../../../layers/budget/i18n/locales/es.json' with { type: 'json' }
import { labelsFor } from '../../../layers/budget/server/pdf/labels.ts'
import { textsFor } from '../../../layers/budget/server/mail/texts.ts'

describe.each([['en', en.budget], ['es', es.budget]] as const)('the same words for the same thing, in %s', (locale, page) => {
  const { labels } = labelsFor(locale)
  const { texts } = textsFor(locale)
  const filled = (text: string, values: Record<string, string>) => text.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!)
  const lower = (text: string) => text.toLowerCase()

  test('the PDF has the page\'s columns', () => {
    const { lines } = page
    expect([labels.treatment, labels.quantity, labels.price]).toEqual([lines.treatment, lines.quantity, lines.price])
    expect(lower(labels.original_price)).toBe(lines.original)
    expect(filled(lines.tooth, { tooth: '16' })).toBe(`${labels.tooth} 16`)
  })

  test('the PDF has the page\'s sums and notes', () => {
    const { total } = page
    expect([labels.original_total, labels.discount, labels.total, labels.no_tax]).toEqual([total.original, total.discount, total.total, total.no_tax])
    expect(labels.tax_included('10')).toBe(filled(total.tax_included, { tax: '10' }))
    expect(labels.notes).toBe(page.open.notes)
  })

  test('page, PDF and mail say alike until when it can be decided', () => {
    const until = filled(page.facts.until, { day: 'D' })
    expect(labels.valid).toBe(page.facts.valid)
    expect(labels.until('D').replace('\n', ' ')).toBe(until)
    expect(texts.until('D', 'Z')).toContain(until)
  })

  test('the PDF has the page\'s words for what became of the budget', () => {
    for (const outcome of ['accepted', 'rejected', 'expired', 'cancelled', 'superseded'] as const) expect(labels.status[outcome]).toBe(page.outcome[outcome].word)
  })

  test('the PDF has the page\'s words for who signs and how', () => {
    expect(labels.methods).toEqual(page.accept.method)
    for (const who of ['patient', 'guardian', 'representative'] as const) expect(lower(page.accept.relationship[who])).toContain(lower(labels.relationships[who]))
  })

  test('the subject of the mail is the title of the page', () => {
    for (const kind of ['sent', 'again', 'closed'] as const) expect(lower(texts.subject[kind]('X'))).toContain(lower(page.title))
  })
})
