import { describe, expect, test } from 'vitest'
import { isQuiet } from '../../../../layers/budget/shared/domain/quiet-hours.ts'

const NIGHT = { quiet_from: '20:00', quiet_to: '09:00' }
const quiet = (instant: string, hours = NIGHT, zone = 'Europe/Madrid') => isQuiet(hours, zone, new Date(instant))

describe('quiet hours', () => {
  test.each([
    ['2026-01-15T18:59:59Z', false],
    ['2026-01-15T19:00:00Z', true],
    ['2026-01-15T23:30:00Z', true],
    ['2026-01-16T07:59:59Z', true],
    ['2026-01-16T08:00:00Z', false]
  ])('follow the clinic\'s time zone and include midnight: %s is quiet: %s', (instant, expected) => {
    expect(quiet(instant)).toBe(expected)
  })

  test.each([
    // In Madrid, the night of 29 March 2026 has one hour less, and that of 25 October has one hour twice.
    ['2026-03-28T19:00:00Z', true],
    ['2026-03-29T06:59:59Z', true],
    ['2026-03-29T07:00:00Z', false],
    ['2026-03-29T18:00:00Z', true],
    ['2026-10-24T18:00:00Z', true],
    ['2026-10-25T07:59:59Z', true],
    ['2026-10-25T08:00:00Z', false],
    ['2026-10-25T18:59:59Z', false]
  ])('follow daylight saving time: %s is quiet: %s', (instant, expected) => {
    expect(quiet(instant)).toBe(expected)
  })

  test('can be within a day, and are off when both times are the same', () => {
    const siesta = { quiet_from: '14:00', quiet_to: '16:30' }
    expect(['12:59', '13:00', '15:29', '15:30'].map(time => quiet(`2026-01-15T${time}:00Z`, siesta))).toEqual([
      false,
      true,
      true,
      false
    ])
    expect(quiet('2026-01-15T12:00:00Z', { quiet_from: '13:00', quiet_to: '13:00' })).toBe(false)
  })

  test('work in a time zone with a half-hour offset', () => {
    expect([
      quiet('2026-01-15T14:29:59Z', NIGHT, 'Asia/Kolkata'),
      quiet('2026-01-15T14:30:00Z', NIGHT, 'Asia/Kolkata')
    ]).toEqual([false, true])
  })
})
