import { expect, test } from 'vitest'
import { createI18n } from 'vue-i18n'
import config from '../../../i18n/i18n.config.ts'

const texts = { 'recall': { settings: { 'months': 'Months', 'months.help': 'From 1 to 36.' } }, 'a.b': 'Whole' }
const { t, te } = createI18n({ legacy: false, locale: 'en', messages: { en: texts }, ...config }).global

test('a text is found even if other keys begin with its key and a dot', () => {
  expect([t('recall.settings.months'), t('recall.settings.months.help'), t('a.b')])
    .toEqual(['Months', 'From 1 to 36.', 'Whole'])
})

test('a key without a text is reported as missing, even below another text, and is shown unchanged', () => {
  for (const key of ['recall.settings.years', 'recall.settings.months.more', 'nothing']) {
    expect([te(key), t(key)]).toEqual([false, key])
  }
  expect(te('recall.settings.months.help')).toBe(true)
})
