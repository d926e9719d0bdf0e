import { describe, expect, test } from 'vitest'
import type en from '../../../layers/budget/i18n/locales/en.json'
import { labelsFor } from '../../../layers/budget/server/pdf/labels.ts'
import { textsFor } from '../../../layers/budget/server/mail/texts.ts'
import { LANGUAGES, textsOf } from '../../support/texts.ts'

const pageIn = (locale: string) => textsOf<typeof en>('layers/budget/i18n/locales', locale).budget
// A page isolates what it fills in; the PDF's lines need no marks for that.
const filled = (text: string, values: Record<string, string>) =>
  text.replace(/[\u2068\u2069]/g, '').replace(/\{(\w+)\}/g, (_, name: string) => values[name]!)
const lower = (text: string) => text.toLowerCase()

describe.each(LANGUAGES)('the PDF, in %s', (locale) => {
  const page = pageIn(locale)
  const { labels, language } = labelsFor(locale)

  test('is in that language and has the title of the page', () => {
    expect(language).toBe(locale)
    // The page speaks to its reader; in Arabic that is an ending of the word.
    expect(lower(page.title).replace('علاجكم', 'العلاج')).toContain(lower(labels.title))
  })

  test('calls a tooth, the clinician and who signs what the page calls them', () => {
    expect(filled(page.lines.tooth, { tooth: '16' })).toBe(`${labels.tooth} 16`)
    expect(lower(page.facts.professional)).toContain(lower(labels.professional))
    for (const who of ['patient', 'guardian', 'representative'] as const)
      expect(lower(page.accept.relationship[who])).toContain(lower(labels.relationships[who]))
  })

  test('fills its sentences without the marks of a screen', () => {
    expect(labels.consent('C', 'T')).toBe(filled(page.accept.consent, { clinic: 'C', total: 'T' }))
    expect(labels.range('1', '2')).toBe(filled(page.choice.range, { from: '1', to: '2' }))
  })

  test('writes the last day below its words', () => {
    expect(labels.until('D')).toBe(filled(page.facts.until, { day: 'D' }).replace(' D', '\nD'))
  })
})

test('a sentence of the PDF has one dot behind an abbreviation', () => {
  expect(labelsFor('ar').labels.tax_included('10 د.إ.')).toMatch(/[^.]\.$/)
  expect(labelsFor('ar').labels.tax_included('10')).toMatch(/10\.$/)
})

describe.each(LANGUAGES)('the mail has the words of the page, in %s', (locale) => {
  const page = pageIn(locale)
  const { texts, locale: language } = textsFor(locale)

  test('in that language', () => {
    expect(language).toBe(locale)
  })

  test('until when it can be decided', () => {
    expect(texts.until('D', 'Z')).toContain(filled(page.facts.until, { day: 'D' }))
  })

  test('its subject is the title of the page', () => {
    for (const kind of ['sent', 'again', 'closed'] as const)
      expect(lower(texts.subject[kind]('X'))).toContain(lower(page.title))
  })
})
