import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, dayIn, endOfDay, isOver, yearIn } from '../../../../layers/budget/shared/domain/validity.ts'

const at = (text: string) => new Date(text)

describe('the end of a budget\'s last day', () => {
  it.each([
    ['UTC', '2026-06-30', '2026-07-01T00:00:00.000Z'],
    ['Europe/Madrid', '2026-06-30', '2026-06-30T22:00:00.000Z'],
    ['Europe/Madrid', '2026-03-29', '2026-03-29T22:00:00.000Z'], // the day has 23 hours
    ['Europe/Madrid', '2026-10-25', '2026-10-25T23:00:00.000Z'], // the day has 25
    ['Asia/Beirut', '2026-03-28', '2026-03-28T22:00:00.000Z'], // midnight does not exist: 00:00 is 01:00
    ['Africa/Cairo', '2026-04-23', '2026-04-23T22:00:00.000Z'], // the same
    ['America/Havana', '2026-10-31', '2026-11-01T04:00:00.000Z'], // midnight comes twice: the first one
    ['America/Nuuk', '2026-03-28', '2026-03-29T01:00:00.000Z'], // 23:00 is followed by 24:00
    ['Pacific/Apia', '2011-12-29', '2011-12-30T10:00:00.000Z'], // the 30th was skipped
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
    ['Pacific/Kiritimati', '2026-12-31', '2026-12-31T10:00:00.000Z'],
    ['Pacific/Pago_Pago', '2026-12-31', '2027-01-01T11:00:00.000Z'],
    ['Asia/Kathmandu', '2028-02-28', '2028-02-28T18:15:00.000Z']
  ])('in %s, for %s, is %s', (zone, day, instant) => {
    expect(endOfDay(day, zone).toISOString()).toBe(instant)
  })

  const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC']
  const days = fc.integer({ min: 0, max: 365 * 8 }).map(days => addDays('2023-01-01', days))

  it('is the first instant after that day in any zone and for any date', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), days, (zone, day) => {
        const end = endOfDay(day, zone)
        expect(dayIn(zone, new Date(end.getTime() - 1))).toBe(day)
        expect(dayIn(zone, end)).toBe(addDays(day, 1))
      }),
      { numRuns: 3000 }
    )
  })
})

describe('the current date', () => {
  it('is that of the clinic, not of the server', () => {
    expect(dayIn('Pacific/Auckland', at('2026-06-30T12:30:00Z'))).toBe('2026-07-01')
    expect(dayIn('America/Los_Angeles', at('2026-07-01T06:30:00Z'))).toBe('2026-06-30')
  })

  it('determines the year of a budget\'s number', () => {
    expect(yearIn('Europe/Madrid', at('2026-12-31T23:30:00Z'))).toBe(2027)
    expect(yearIn('UTC', at('2026-12-31T23:30:00Z'))).toBe(2026)
  })

  it('keeps a budget valid until the last millisecond of the day in the clinic\'s zone', () => {
    expect(isOver('2026-06-30', 'Europe/Madrid', at('2026-06-30T21:59:59.999Z'))).toBe(false)
    expect(isOver('2026-06-30', 'Europe/Madrid', at('2026-06-30T22:00:00Z'))).toBe(true)
  })
})
