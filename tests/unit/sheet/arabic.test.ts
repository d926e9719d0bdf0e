import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { joined } from '@svc/sheet/text/arabic.ts'
import { face } from '@svc/sheet/text/fonts.ts'
import { fontkit } from '../../support/documents/fontkit.ts'

// The letters of Arabic and Persian with their marks whose shape depends on the position.
const letter = fc
  .tuple(fc.constantFrom(...'ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهويىپچژکگیـ'), fc.constantFrom('', '', '', 'َ', 'ّ', 'ُ', 'ً'))
  .map(parts => parts.join(''))
const words = fc
  .array(
    fc.array(letter, { minLength: 1, maxLength: 8 }).map(letters => letters.join('')),
    { minLength: 1, maxLength: 4 }
  )
  .map(all => all.join(' '))

describe.each(['regular', 'bold'] as const)('Arabic text in the %s typeface', (name) => {
  const { bytes, metrics } = face(name)
  const font = fontkit.create(bytes)
  const drawn = (text: string) =>
    font.layout(text).glyphs.reduce((sum, glyph) => sum + glyph.advanceWidth, 0) / font.unitsPerEm

  test('is measured with the width of the joined letters', () => {
    fc.assert(fc.property(words, (text) => {
      expect(metrics.width(text, 1)).toBeCloseTo(drawn(text), 6)
    }))
  })

  test('is narrower joined than letter by letter', () => {
    expect(metrics.width('محمد العلي', 1)).toBeLessThan(
      [...'محمد العلي'].reduce((sum, letter) => sum + metrics.width(letter, 1), 0)
    )
  })
})

test('letters have the form for their neighbours, and marks do not separate them', () => {
  expect(joined('محمد').normalize('NFKC')).toBe('محمد')
  expect(joined('لا')).toBe('\uFEFB')
  expect(joined('مَن')).toBe('\uFEE3\u064E\uFEE6')
  expect(joined('Ana 24')).toBe('Ana 24')
})
