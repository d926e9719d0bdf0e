import { displayLocale, punctuationOf } from '@svc/kit/locale'
import { expect, test } from 'vitest'

test.each(['en', 'es', 'fr', 'de', 'pt'])('Latin punctuation is used between words of %s', (locale) => {
  const latin = { comma: ', ', semicolon: '; ' }
  expect(punctuationOf(locale)).toEqual(latin)
  expect(punctuationOf(displayLocale(locale))).toEqual(latin)
})

test('Arabic punctuation is used between Arabic words', () => {
  const arabic = { comma: '\u060C ', semicolon: '\u061B ' }
  expect(punctuationOf('ar')).toEqual(arabic)
  expect(punctuationOf(displayLocale('ar'))).toEqual(arabic)
  expect(punctuationOf('ar-EG')).toEqual(arabic)
})

test('another language whose code begins with the same letters has Latin punctuation', () => {
  expect(punctuationOf('arn').comma).toBe(', ')
})
