import { expect, test } from 'vitest'
import { LANGUAGES } from '@svc/kit/schemas'
import { codeMessage } from '../../../layers/budget/server/mail/code-message.ts'
import { shortMessage } from '../../../layers/budget/server/mail/short-message.ts'
import { countSegments } from '../../../layers/sms/shared/domain/segments.ts'

const URL = 'https://budget.penalver.es/b/K7Q4-9XTM'
const LATIN = 'Clínica Dental Peñalver Aurora'
const ARABIC = 'مركز الابتسامة لطب الأسنان دبي'
const KINDS = ['sent', 'again', 'copy', 'closed', 'answered'] as const

/** Units of each text, with a clinic’s name of thirty characters and the short address. */
const UNITS: Record<typeof LANGUAGES[number], number[]> = {
  en: [122, 127, 106, 102, 97, 99],
  es: [146, 115, 111, 114, 98, 87],
  fr: [135, 126, 111, 109, 97, 106],
  de: [128, 137, 112, 107, 97, 103],
  pt: [129, 128, 113, 111, 95, 101],
  ar: [70, 70, 70, 70, 70, 67]
}

test.each(LANGUAGES)('in %s all messages take one part with a clinic’s name of thirty characters', (locale) => {
  const clinic = { name: locale === 'ar' ? ARABIC : LATIN, locale }
  expect([...clinic.name]).toHaveLength(30)
  const texts = [
    ...KINDS.map(kind => shortMessage({ locale, kind, url: URL, clinic })),
    codeMessage({ locale, clinic, code: '123456', short: true }).text
  ]
  const counted = texts.map(text => countSegments(text))
  expect(counted.map(({ units }) => units)).toEqual(UNITS[locale])
  expect(new Set(counted.map(({ parts }) => parts))).toEqual(new Set([1]))
  expect(new Set(counted.map(({ encoding }) => encoding))).toEqual(new Set([locale === 'ar' ? 'ucs2' : 'gsm7']))
})
