import { describe, expect, test } from 'vitest'
import { createI18n } from 'vue-i18n'
import config from '../../i18n/i18n.config.ts'
import { pluralForms } from '../../i18n/plural-rule.ts'
import { textsOf } from '../support/texts.ts'

/** Translates as the screens do. */
function told(locale: string, folder: string, key: string, count: number) {
  const { global } = createI18n({
    legacy: false,
    locale,
    messages: { [locale]: textsOf<Record<string, never>>(folder, locale) },
    ...config
  })
  return global.t(key, { n: String(count) }, count)
}

test.each([
  ['en', ['one', 'other']],
  ['es', ['one', 'other']],
  ['fr', ['one', 'other']],
  ['de', ['one', 'other']],
  ['pt', ['one', 'other']],
  ['ar', ['zero', 'one', 'two', 'few', 'many', 'other']]
])('a text in %s needs the forms %j', (language, forms) => {
  expect(pluralForms(language)).toEqual(forms)
})

describe('a number takes the form of its language:', () => {
  test.each([
    ['en', 0, '0 invoices'],
    ['en', 1, '1 invoice'],
    ['fr', 0, '0 facture'],
    ['fr', 1, '1 facture'],
    ['fr', 2, '2 factures'],
    ['fr', 1_000_000, '1000000 factures'],
    ['pt', 0, '0 faturas'],
    ['es', 1_000_000, '1000000 facturas'],
    ['ar', 0, 'لا فواتير'],
    ['ar', 1, 'فاتورة واحدة'],
    ['ar', 2, 'فاتورتان'],
    ['ar', 3, '3 فواتير'],
    ['ar', 11, '11 فاتورة'],
    ['ar', 100, '100 فاتورة']
  ])('%s, %i: %s', (locale, count, text) => {
    expect(told(locale, 'layers/reports/i18n/staff', 'reports.invoices', count)).toBe(text)
  })
})

describe('a number takes an additional first form for zero:', () => {
  test.each([
    ['en', 0, 'No treatments'],
    ['en', 1, 'One treatment'],
    ['en', 7, '7 treatments'],
    ['fr', 0, 'Aucun traitement'],
    ['fr', 1, 'Un traitement'],
    ['fr', 2, '2 traitements'],
    ['ar', 0, 'لا توجد علاجات'],
    ['ar', 2, 'علاجان']
  ])('%s, %i: %s', (locale, count, text) => {
    expect(told(locale, 'layers/budget/i18n/locales', 'budget.lines.title', count)).toBe(text)
  })
})

test('a module with fewer forms than the language needs is read without the rule', () => {
  const { global } = createI18n({
    legacy: false,
    locale: 'ar',
    messages: { ar: { one: 'واحد | {n} أكثر' } },
    ...config
  })
  expect([1, 2, 11].map(count => global.t('one', count))).toEqual(['واحد', '2 أكثر', '11 أكثر'])
})
