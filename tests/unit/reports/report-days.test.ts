import { describe, expect, test } from 'vitest'
import { EARLIEST, faultOfDays, isWholeDay, LATEST } from '../../../layers/reports/app/utils/report-days.ts'
import { MAX_MONTHS } from '../../../layers/reports/shared/contract.ts'

describe('the period of a report', () => {
  test('does not change while a year is half typed, and shows no error', () => {
    for (const day of ['', '0002-01-05', '0020-01-05', '0202-01-05', '1899-12-31', '12025-01-05']) {
      expect(isWholeDay(day), day).toBe(false)
      expect(faultOfDays({ from: day, to: '2026-03-31' }), day).toBe(null)
    }
    for (const day of ['2025-01-05', EARLIEST, LATEST]) expect(isWholeDay(day), day).toBe(true)
  })

  test('must end after it begins and within ten years, as on the server', () => {
    expect(MAX_MONTHS).toBe(120)
    expect(faultOfDays({ from: '2026-01-02', to: '2026-01-01' })).toBe('wrong')
    expect(faultOfDays({ from: '2026-01-01', to: '2026-01-01' })).toBe(null)
    expect(faultOfDays({ from: '2016-02-01', to: '2026-01-31' })).toBe(null)
    expect(faultOfDays({ from: '2016-01-31', to: '2026-01-01' })).toBe('too_long')
  })
})
