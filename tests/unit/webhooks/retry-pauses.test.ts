import { expect, test } from 'vitest'
import { pauseAfter } from '../../../server/core/webhooks/retry-pauses.ts'

test('a delivery is tried eight times in about a day, with growing pauses, before it counts as failed', () => {
  const pauses = Array.from({ length: 8 }, (_, n) => pauseAfter(n + 1))
  expect(pauses).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 36_000, null])
  const hours = pauses.reduce<number>((sum, pause) => sum + (pause ?? 0), 0) / 3600
  expect(hours).toBeGreaterThan(24)
  expect(hours).toBeLessThan(30)
})
