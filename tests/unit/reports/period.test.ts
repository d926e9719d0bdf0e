import { describe, expect, test } from 'vitest'
import { PRESETS, presetOf, withoutEmptyEnds } from '../../../layers/reports/shared/domain/period.ts'

describe('the usual periods of a report', () => {
  test.each([
    ['2026-11-28', 'this_month', '2026-11-01', '2026-11-28'],
    ['2026-11-28', 'last_month', '2026-10-01', '2026-10-31'],
    ['2026-01-05', 'last_month', '2025-12-01', '2025-12-31'],
    ['2024-03-31', 'last_month', '2024-02-01', '2024-02-29'],
    ['2026-11-28', 'this_quarter', '2026-10-01', '2026-11-28'],
    ['2026-11-28', 'last_quarter', '2026-07-01', '2026-09-30'],
    ['2026-02-10', 'last_quarter', '2025-10-01', '2025-12-31'],
    ['2026-11-28', 'this_year', '2026-01-01', '2026-11-28'],
    ['2026-11-28', 'last_year', '2025-01-01', '2025-12-31'],
    ['2026-11-28', 'twelve_months', '2025-12-01', '2026-11-28']
  ] as const)('on %s, %s is from %s to %s', (today, name, from, to) => {
    expect(PRESETS[name](today)).toEqual({ from, to })
    expect(presetOf({ from, to }, today)).toBe(name)
  })

  test('have no name for any other days', () => {
    expect(presetOf({ from: '2026-11-02', to: '2026-11-28' }, '2026-11-28')).toBe(null)
  })

  test('are drawn from the first month that has something to the last one', () => {
    expect(withoutEmptyEnds([0, 0, 2, 0, 3, 0], count => count === 0)).toEqual([2, 0, 3])
    expect(withoutEmptyEnds([0, 0], count => count === 0)).toEqual([])
  })
})
