import { describe, expect, test } from 'vitest'
import { ellipsis, printable, widthOf, wrap } from '@svc/sheet/text/text.ts'

const SIZE = 9.5

describe('text as the font can draw it', () => {
  test('Latin, Greek and Cyrillic stay as they are', () => {
    for (const text of ['Ñúñez Łukasz Čapek ẞ', 'Ελληνικά ρητίνη', 'Имплантация ё', '1.234,56 € — “x”'])
      expect(printable(text)).toBe(text)
  })

  test('controls, direction overrides and joiners are not text', () => {
    expect(printable('a\u0000b\u202Egnp.exe\u202C\u2066c\u2069\u200Fd')).toBe('abgnp.execd')
    expect(printable('👩\u200D⚕\uFE0F')).not.toContain('\u200D')
  })

  test('markup and expressions are text like any other', () => {
    for (const text of [
      '<img src=x onerror=alert(1)>',
      '{{7*7}} {1+1} {date}',
      '**bold** [a](https://b)',
      '\\u0041 \\(x\\)'
    ])
      expect(printable(text)).toBe(text)
  })

  test('a lone surrogate and a decomposed accent do no harm', () => {
    expect(printable('a\uD800b')).toHaveLength(3)
    expect(printable('Nu\u0301n\u0303ez')).toBe('Núñez')
  })
})

describe('lines', () => {
  test('a text that is cut short is not cut inside of a character', () => {
    expect(ellipsis('🦷'.repeat(200), 100, 'regular', SIZE)).toMatch(/^🦷+…$/u)
  })

  test('break at spaces and fit the width', () => {
    const lines = wrap('Endodoncia multirradicular con medicación intraconducto y reconstrucción', 150, 'regular', SIZE)
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.join(' ')).toBe('Endodoncia multirradicular con medicación intraconducto y reconstrucción')
    for (const line of lines) expect(widthOf(line, 'regular', SIZE)).toBeLessThanOrEqual(150)
  })

  test('a word that is wider than the column is broken between characters', () => {
    const lines = wrap('x'.repeat(100), 50, 'regular', SIZE)
    expect(lines.join('')).toBe('x'.repeat(100))
    for (const line of lines) expect(widthOf(line, 'regular', SIZE)).toBeLessThanOrEqual(50)
  })

  test('an amount is not torn at its group separator', () => {
    expect(wrap('abc 1\u202F234,56\u00A0€', 52, 'regular', SIZE).at(-1)).toBe('1\u00A0234,56\u00A0€')
  })

  test('paragraphs stay apart; no text gives no line', () => {
    expect(wrap('one\r\n\r\ntwo', 200, 'regular', SIZE)).toEqual(['one', '', 'two'])
    expect(wrap('', 200, 'regular', SIZE)).toEqual([])
    expect(wrap('\u202E', 200, 'regular', SIZE)).toEqual([])
  })

  test('a line that must be one line ends with an ellipsis', () => {
    const short = ellipsis('Eleni Papadopoulou-Konstantinidou of Thessaloniki', 100, 'regular', SIZE)
    expect(short).toMatch(/^Eleni.*…$/)
    expect(widthOf(short, 'regular', SIZE)).toBeLessThanOrEqual(100)
  })
})
