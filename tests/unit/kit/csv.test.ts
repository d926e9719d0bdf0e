import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { escapeCell, unescapeCell } from '@svc/kit/csv'

describe('a cell that a spreadsheet would read as a formula gets an apostrophe:', () => {
  test.each([
    ['=1+1', '\'=1+1'],
    ['=cmd|\'/C calc\'!A0', '\'=cmd|\'/C calc\'!A0'],
    ['+34 600 11 22 33', '\'+34 600 11 22 33'],
    ['-Ana', '\'-Ana'],
    ['-', '\'-'],
    ['@SUM(A1)', '\'@SUM(A1)'],
    ['\t=1', '\'\t=1'],
    ['\r=1', '\'\r=1'],
    ['\'t Hooft', '\'\'t Hooft'],
    ['\'', '\'\''],
    ['-1+1', '\'-1+1'],
    ['-1e3', '\'-1e3'],
    ['-1.2.3', '\'-1.2.3'],
    ['-1,50', '\'-1,50'],
    ['-1\n', '\'-1\n'],
    ['-.5', '\'-.5'],
    ['+1', '\'+1']
  ])('%j becomes %j', (text, cell) => {
    expect(escapeCell(text)).toBe(cell)
    expect(unescapeCell(cell)).toBe(text)
  })
})

test.each(['', 'Ana', '0', '12', '12.50', '-12.50', '-3', 'a=b', ' =1', '٣', 'O\'Neill', 'name@example.com'])(
  'the cell %j is unchanged',
  (text) => {
    expect(escapeCell(text)).toBe(text)
    expect(unescapeCell(text)).toBe(text)
  }
)

const PLAIN = /^-\d+(?:\.\d+)?$/
const hostile = fc.stringMatching(/^[=+\-@\t\r'0-9.ea ]{0,8}$/)
const anyText = fc.oneof(hostile, fc.string(), fc.string({ unit: 'binary' }))

test('every text is read back exactly', () => {
  fc.assert(fc.property(anyText, text => unescapeCell(escapeCell(text)) === text))
})

test('no cell begins like a formula, unless it is a plain number', () => {
  fc.assert(fc.property(anyText, (text) => {
    const cell = escapeCell(text)
    return !/^[=+\-@\t\r]/.test(cell) || PLAIN.test(cell)
  }))
})
