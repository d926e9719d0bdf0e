import { problem } from '@svc/kit'
import { expect, test } from 'vitest'
import { pauseAfterError } from '../../../server/core/events/dispatch.ts'

const pauses = (error: unknown) => Array.from({ length: 12 }, (_, n) => pauseAfterError(n + 1, error))
const lost = Object.assign(new Error('the database does not answer'), { code: 'CONNECTION_CLOSED' })

test('a failed delivery is retried after pauses that double up to 15 minutes', () => {
  expect(pauses(new Error('no mail today'))).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
})

test('a delivery that failed because of the database is retried within ten seconds, however often it failed', () => {
  expect(pauses(lost)).toEqual([1, 2, 4, 8, 10, 10, 10, 10, 10, 10, 10, 10])
})

test('a delivery whose error has a retry time is retried within that time', () => {
  expect(pauses(problem('busy', { retry_after: 5 }))).toEqual([1, 2, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5])
})
