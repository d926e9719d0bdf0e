import { expect, test } from 'vitest'
import { LANGUAGES } from '@svc/kit/schemas'
import { shortMessage } from '../../../../layers/budget/server/mail/short-message.ts'
import { smsLength } from '../../../../layers/budget/shared/domain/sms-text.ts'

const URL = 'https://budget.penalver.es/b/K7Q4-9XTM'
const KINDS = ['sent', 'again', 'copy', 'closed', 'answered'] as const

test.each(LANGUAGES.flatMap(locale => KINDS.map(kind => [locale, kind] as const)))(
  'the short text in %s for %s fits into one SMS including the address, for any clinic name',
  (locale, kind) => {
    for (const name of ['Sol', 'Clínica Peñalver', 'Centro Odontológico Internacional de Rehabilitación Oral']) {
      const text = shortMessage({ locale, kind, url: URL, clinic: { name, locale: 'es' } })
      const { taken, most } = smsLength(text)
      expect([text, taken <= most]).toEqual([text, true])
      expect(text).toContain(URL)
    }
  }
)

test('a short text is in the patient’s language, otherwise in the clinic’s', () => {
  const clinic = { name: 'Sol', locale: 'de' }
  expect(shortMessage({ locale: 'fr-CA', kind: 'sent', url: URL, clinic })).toContain('votre devis')
  expect(shortMessage({ locale: 'ja', kind: 'sent', url: URL, clinic })).toContain('Ihr Kostenvoranschlag')
})
