import { expect, test } from 'vitest'
import { createFailureLog } from '../../../server/core/failure-log.ts'

const GONE = new Error('the database is gone')

function aLog() {
  const lines: [string, Record<string, unknown> | undefined][] = []
  let ms = 1000
  const failures = createFailureLog({ warn: (event, fields) => void lines.push([event, fields]) }, 'schedule', () => ms)
  return { lines, failures, wait: (seconds: number) => void (ms += seconds * 1000) }
}

test('the first failure is logged with its stack, and further failures once a minute without it', () => {
  const { lines, failures, wait } = aLog()
  for (let second = 0; second < 125; second++) {
    failures.failed(GONE)
    wait(1)
  }
  expect(lines).toEqual([
    ['schedule.failed', { error: GONE }],
    ['schedule.failed', { reason: 'the database is gone', failures: 61 }],
    ['schedule.failed', { reason: 'the database is gone', failures: 121 }]
  ])
})

test('one line reports the recovery and how long the failure lasted, and the next failure counts as the first', () => {
  const { lines, failures, wait } = aLog()
  failures.worked()
  failures.failed(GONE)
  wait(30)
  failures.failed(GONE)
  failures.worked()
  failures.worked()
  failures.failed(GONE)
  expect(lines).toEqual([
    ['schedule.failed', { error: GONE }],
    ['schedule.back', { seconds: 30, failures: 2 }],
    ['schedule.failed', { error: GONE }]
  ])
})
