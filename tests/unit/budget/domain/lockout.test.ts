import { describe, expect, test } from 'vitest'
import { attemptsLeft, lockAfter, lockOf } from '../../../../layers/budget/shared/domain/lockout.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE

describe('the lock after wrong codes', () => {
  test.each([
    [0, null], [1, null], [4, null],
    [5, 15 * MINUTE],
    [6, null], [9, null],
    [10, HOUR],
    [14, null],
    [15, HOUR],
    [20, HOUR],
    [500, HOUR],
    [501, null]
  ])('begins after failure %i and lasts %s seconds', (failures, seconds) => {
    expect(lockAfter(failures)).toBe(seconds)
  })

  test.each([
    [0, 5],
    [1, 4],
    [4, 1],
    [5, 5],
    [7, 3],
    [10, 5]
  ])('leaves, after %i failures, %i attempts', (failures, left) => {
    expect(attemptsLeft(failures)).toBe(left)
  })

  test('ends exactly at its end time', () => {
    const until = new Date('2026-05-05T12:00:00Z')
    const at = (iso: string) => lockOf({ link: { locked_until: until }, now: new Date(iso) })
    expect(at('2026-05-05T11:59:59.999Z')).toEqual({ locked: true, locked_until: until })
    expect(at('2026-05-05T12:00:00Z')).toEqual({ locked: false, locked_until: null })
    expect(lockOf({ link: { locked_until: null }, now: until })).toEqual({ locked: false, locked_until: null })
  })
})
