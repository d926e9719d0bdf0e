import { describe, expect, test } from 'vitest'
import { createI18n } from 'vue-i18n'
import { translateWith } from '../../../app/utils/translate.ts'
import config from '../../../i18n/i18n.config.ts'
import { LANGUAGES, textsOf, type Texts } from '../../support/texts.ts'

const keysOf = (texts: Texts, path = ''): string[] =>
  Object.entries(texts).flatMap(([name, text]) =>
    typeof text === 'string' ? `${path}${name}` : keysOf(text, `${path}${name}.`)
  )
const publicTexts = (locale: string): Texts =>
  ({ ...textsOf('i18n/locales', locale), ...textsOf('layers/budget/i18n/locales', locale) })

describe.each(LANGUAGES)('our translation of every public text in %s equals that of vue-i18n', (locale) => {
  const texts = publicTexts(locale)
  const { t } = createI18n({
    legacy: false,
    locale,
    messages: { [locale]: texts as Record<string, never> },
    ...config
  }).global
  const translate = translateWith(texts, locale)
  const keys = keysOf(texts)
  const all = (read: (key: string) => string) => Object.fromEntries(keys.map(key => [key, read(key)]))
  // Every placeholder of a text.
  const values = Object.fromEntries([...JSON.stringify(texts).matchAll(/\{(\w+)\}/g)].map(([, name]) => [name!, `«${name}»`]))

  test('with and without values', () => {
    expect(keys.length).toBeGreaterThan(200)
    expect(all(key => translate(key, values))).toEqual(all(key => t(key, values)))
    expect(all(key => translate(key))).toEqual(all(key => t(key)))
  })

  test.each([0, 1, 2, 3, 5, 11, 100, 1_000_000])('for the number %d', (count) => {
    expect(all(key => translate(key, count))).toEqual(all(key => t(key, count)))
    expect(all(key => translate(key, { n: '1,5' }, count))).toEqual(all(key => t(key, { n: '1,5' }, count)))
  })
})

test('a key that has no text is returned unchanged', () => {
  const translate = translateWith({ budget: { title: 'Budget' } }, 'en')
  for (const key of ['budget', 'budget.title.more', 'budget.lead', 'toString']) expect(translate(key)).toBe(key)
})
