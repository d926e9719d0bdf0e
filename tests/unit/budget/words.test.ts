import { describe, expect, test } from 'vitest'
import type en from '../../../layers/budget/i18n/locales/en.json'
import { labelsFor } from '../../../layers/budget/server/pdf/labels.ts'
import { toothLabelsFor } from '../../../layers/budget/server/pdf/tooth-labels.ts'
import { textsFor } from '../../../layers/budget/server/mail/texts.ts'
import { LANGUAGES, textsOf } from '../../support/texts.ts'

const pageIn = (locale: string) => textsOf<typeof en>('layers/budget/i18n/locales', locale).budget
// A page isolates what it fills in; the PDF's lines need no marks for that.
const filled = (text: string, values: Record<string, string>) =>
  text.replace(/[\u2068\u2069]/g, '').replace(/\{(\w+)\}/g, (_, name: string) => values[name]!)
/** Marks of direction are the screen's. */
const plain = (texts: Record<string, string>) =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, text.replace(/\u200F/g, '')]))
const lower = (text: string) => text.toLowerCase()

describe.each(LANGUAGES)('the PDF has the words of the page, in %s', (locale) => {
  const page = pageIn(locale)
  const { labels, language } = labelsFor(locale)

  test('in that language', () => {
    expect(language).toBe(locale)
    // The page speaks to its reader; in Arabic that is an ending of the word.
    expect(lower(page.title).replace('علاجكم', 'العلاج')).toContain(lower(labels.title))
  })

  test('for its columns', () => {
    const { field, lines } = page
    expect([labels.treatment, labels.quantity, labels.price]).toEqual([lines.treatment, field.quantity, field.price])
    expect(lower(labels.original_price)).toBe(lower(lines.original))
    expect(filled(lines.tooth, { tooth: '16' })).toBe(`${labels.tooth} 16`)
  })

  test('for teeth and areas', () => {
    const { title, sides, notation, area } = page.teeth
    expect(toothLabelsFor(locale)).toEqual({ chart: title, sides, notation: plain(notation), area })
  })

  test('for its sums and notes', () => {
    const { field, total } = page
    expect([labels.original_total, labels.discount, labels.total, labels.no_tax]).toEqual([
      field.original,
      field.discount,
      field.total,
      total.no_tax
    ])
    expect(labels.tax_included('10')).toBe(filled(total.tax_included, { tax: '10' }))
    expect(labels.notes).toBe(page.open.notes)
  })

  test('for what can be chosen', () => {
    const { choice } = page
    expect([labels.base, labels.recommended, labels.depends, labels.not_chosen]).toEqual([
      choice.base,
      choice.recommended,
      choice.depends,
      choice.not_chosen
    ])
    expect(labels.range('1', '2')).toBe(filled(choice.range, { from: '1', to: '2' }))
    expect(labels.rule({ rule: 'exactly_one', options: [1, 2] })).toBe(choice.pick_one)
    expect(labels.rule({ rule: 'at_most_one', options: [1, 2] })).toBe(choice.pick_any)
    expect(labels.rule({ rule: 'at_most_one', options: [1] })).toBe(filled(choice.extra, {}))
  })

  test('for whom it concerns and until when it can be decided', () => {
    expect([labels.patient, labels.valid]).toEqual([page.field.patient, page.facts.valid])
    expect(lower(page.facts.professional)).toContain(lower(labels.professional))
    expect(labels.until('D').replace('\n', ' ')).toBe(filled(page.facts.until, { day: 'D' }))
  })

  test('for what became of the budget', () => {
    for (const outcome of ['accepted', 'rejected', 'expired', 'cancelled', 'superseded'] as const)
      expect(labels.status[outcome]).toBe(page.status[outcome])
  })

  test('for who signs and how', () => {
    expect(labels.methods).toEqual(page.accept.method)
    expect(labels.consent('C', 'T')).toBe(filled(page.accept.consent, { clinic: 'C', total: 'T' }))
    for (const who of ['patient', 'guardian', 'representative'] as const)
      expect(lower(page.accept.relationship[who])).toContain(lower(labels.relationships[who]))
  })
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
