import { describe, expect, test } from 'vitest'
import { ellipsis, printable, widthOf, wrap } from '@svc/sheet/text/text.ts'

const SIZE = 9.5

describe('the preparation of text for a font', () => {
  test('keeps Latin, Greek and Cyrillic unchanged', () => {
    for (const text of ['Ñúñez Łukasz Čapek ẞ', 'Ελληνικά ρητίνη', 'Имплантация ё', '1.234,56 € — “x”'])
      expect(printable(text)).toBe(text)
  })

  test('removes controls, direction overrides and joiners', () => {
    expect(printable('a\u0000b\u202Egnp.exe\u202C\u2066c\u2069\u200Fd')).toBe('abgnp.execd')
    expect(printable('👩\u200D⚕\uFE0F')).not.toContain('\u200D')
  })

  test('treats markup and expressions like any other text', () => {
    for (const text of [
      '<img src=x onerror=alert(1)>',
      '{{7*7}} {1+1} {date}',
      '**bold** [a](https://b)',
      '\\u0041 \\(x\\)'
    ])
      expect(printable(text)).toBe(text)
  })

  test('accepts a lone surrogate and a decomposed accent', () => {
    expect(printable('a\uD800b')).toHaveLength(3)
    expect(printable('Nu\u0301n\u0303ez')).toBe('Núñez')
  })
})

describe('the breaking of text into lines', () => {
  test('never cuts a shortened text inside a character', () => {
    expect(ellipsis('🦷'.repeat(200), 100, 'regular', SIZE)).toMatch(/^🦷+…$/u)
  })

  test('breaks at spaces and fits the width', () => {
    const lines = wrap('Endodoncia multirradicular con medicación intraconducto y reconstrucción', 150, 'regular', SIZE)
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.join(' ')).toBe('Endodoncia multirradicular con medicación intraconducto y reconstrucción')
    for (const line of lines) expect(widthOf(line, 'regular', SIZE)).toBeLessThanOrEqual(150)
  })

  test('breaks a word that is wider than the column between characters', () => {
    const lines = wrap('x'.repeat(100), 50, 'regular', SIZE)
    expect(lines.join('')).toBe('x'.repeat(100))
    for (const line of lines) expect(widthOf(line, 'regular', SIZE)).toBeLessThanOrEqual(50)
  })

  test('never breaks an amount at its thousands separator', () => {
    expect(wrap('abc 1\u202F234,56\u00A0€', 52, 'regular', SIZE).at(-1)).toBe('1\u00A0234,56\u00A0€')
  })

  test('keeps paragraphs separate and returns no line without text', () => {
    expect(wrap('one\r\n\r\ntwo', 200, 'regular', SIZE)).toEqual(['one', '', 'two'])
    expect(wrap('', 200, 'regular', SIZE)).toEqual([])
    expect(wrap('\u202E', 200, 'regular', SIZE)).toEqual([])
  })

  test('ends a line that must be a single one with an ellipsis', () => {
    const short = ellipsis('Eleni Papadopoulou-Konstantinidou of Thessaloniki', 100, 'regular', SIZE)
    expect(short).toMatch(/^Eleni.*…$/)
    expect(widthOf(short, 'regular', SIZE)).toBeLessThanOrEqual(100)
  })
})
