import { displayAmount } from '@svc/kit/locale'
import { displayMoney, formatMoney } from '@svc/kit/money'
import { expect, test } from 'vitest'

/** The number of decimals that ISO 4217 defines, even where Intl would show none. */
const currencies = Intl.supportedValuesOf('currency')

test.each(['en', 'es', 'fr', 'de', 'pt', 'ar'])(
  'an amount of any currency keeps its decimals, and is written in %s on a page as in a PDF',
  (locale) => {
    for (const currency of currencies) {
      const shown = displayAmount(formatMoney(123_456n, currency), currency, locale)
      expect(shown, currency).toBe(displayMoney(123_456n, currency, locale))
      expect(shown.replace(/\D/g, ''), currency).toBe('123456')
    }
  }
)
