import { describe, expect, test } from 'vitest'
import type en from '../../../layers/budget/i18n/locales/en.json'
import { labelsFor } from '../../../layers/budget/server/pdf/labels.ts'
import { textsFor } from '../../../layers/budget/server/mail/texts.ts'
import { LANGUAGES, textsOf } from '../../support/texts.ts'

const pageIn = (locale: string) => textsOf<typeof en>('layers/budget/i18n/locales', locale).budget
// A page isolates the values that it inserts. The lines of the PDF need no such marks.
const filled = (text: string, values: Record<string, string>) =>
  text.replace(/[\u2068\u2069]/g, '').replace(/\{(\w+)\}/g, (_, name: string) => values[name]!)
const lower = (text: string) => text.toLowerCase()

describe.each(LANGUAGES)('the PDF of a budget in %s', (locale) => {
  const page = pageIn(locale)
  const { labels, language } = labelsFor(locale)

  test('is in that language and has the same title as the page', () => {
    expect(language).toBe(locale)
    // The page addresses its reader directly. In Arabic that changes the ending of the word.
    expect(lower(page.title).replace('علاجكم', 'العلاج')).toContain(lower(labels.title))
  })

  test('uses the page\'s words for teeth, clinician and signer', () => {
    expect(filled(page.lines.tooth, { tooth: '16' })).toBe(`${labels.tooth} 16`)
    expect(lower(page.facts.professional)).toContain(lower(labels.professional))
    for (const who of ['patient', 'guardian', 'representative'] as const)
      expect(lower(page.accept.relationship[who])).toContain(lower(labels.relationships[who]))
  })

  test('has no isolation marks in its sentences', () => {
    expect(labels.consent('C', 'T')).toBe(filled(page.accept.consent, { clinic: 'C', total: 'T' }))
    expect(labels.range('1', '2')).toBe(filled(page.choice.range, { from: '1', to: '2' }))
  })

  test('has the last day below its label', () => {
    expect(labels.until('D')).toBe(filled(page.facts.until, { day: 'D' }).replace(' D', '\nD'))
  })
})

test('a sentence of the PDF that ends with an abbreviation has one full stop', () => {
  expect(labelsFor('ar').labels.tax_included('10 د.إ.')).toMatch(/[^.]\.$/)
  expect(labelsFor('ar').labels.tax_included('10')).toMatch(/10\.$/)
})

describe.each(LANGUAGES)('the mail with a budget\'s link in %s', (locale) => {
  const page = pageIn(locale)
  const { texts, locale: language } = textsFor(locale)

  test('is in that language', () => {
    expect(language).toBe(locale)
  })

  test('has the page\'s words for the last day to decide', () => {
    expect(texts.until('D', 'Z')).toContain(filled(page.facts.until, { day: 'D' }))
  })

  test('has the title of the page as its subject', () => {
    for (const kind of ['sent', 'again', 'closed'] as const)
      expect(lower(texts.subject[kind]('X'))).toContain(lower(page.title))
  })
})
