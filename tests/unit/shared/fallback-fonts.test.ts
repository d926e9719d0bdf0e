import { describe, expect, test } from 'vitest'
import { fontSheetsFor } from '../../../shared/fallback-fonts.ts'

describe('the style sheets with fonts are those that a text needs:', () => {
  test.each([
    ['Zoë Łukasz Ιωάννα Юлия', []],
    ['محمد', []],
    ['120,00 € · 3 × “sí”', []],
    ['王小明', ['chinese']],
    ['𠮷田', ['chinese']],
    ['高橋 さくら', ['japanese']],
    ['金 민준', ['korean']],
    ['สมชาย', ['others']],
    ['प्रिया', ['others']],
    ['נועה', ['others']],
    ['🦷', ['others']],
    ['王小明 👍', ['chinese', 'others']]
  ])('%s', (text, sheets) => {
    expect(fontSheetsFor(text)).toEqual(sheets)
  })
})
