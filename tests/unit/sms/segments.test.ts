import { describe, expect, test } from 'vitest'
import { countSegments } from '../../../layers/sms/shared/domain/segments.ts'

const x = (n: number) => 'x'.repeat(n)

describe('the parts of a text are counted:', () => {
  test.each([
    ['160 septets are one part', x(160), 'gsm7', 160, 1],
    ['161 septets are two parts', x(161), 'gsm7', 161, 2],
    ['306 septets are two parts of 153', x(306), 'gsm7', 306, 2],
    ['307 septets are three parts', x(307), 'gsm7', 307, 3],
    ['a character of the extension table takes two septets', `${x(158)}€`, 'gsm7', 160, 1],
    ['and no part ends within it', `${x(152)}€${x(10)}${x(140)}`, 'gsm7', 304, 2],
    ['so that it begins the next part', `${x(152)}€${x(152)}`, 'gsm7', 306, 3],
    ['one other character makes the text UCS-2', `${x(69)}í`, 'ucs2', 70, 1],
    ['71 units of UCS-2 are two parts', `${x(70)}í`, 'ucs2', 71, 2],
    ['134 units of UCS-2 are two parts of 67', `${x(133)}í`, 'ucs2', 134, 2],
    ['135 units of UCS-2 are three parts', `${x(134)}í`, 'ucs2', 135, 3],
    ['an emoji takes two units', '🦷', 'ucs2', 2, 1],
    ['and no part ends within it', `${x(66)}🦷${x(66)}`, 'ucs2', 134, 3],
    ['Arabic is UCS-2', 'عيادة', 'ucs2', 5, 1],
    ['an empty text is one part', '', 'gsm7', 0, 1]
  ])('%s', (_, text, encoding, units, parts) => {
    expect(countSegments(text)).toMatchObject({ encoding, units, parts })
  })

  test('characters of the extension table are counted apart', () => {
    expect(countSegments('[a] 5€')).toMatchObject({ extended: 3, units: 9, per_part: 160 })
  })
})
