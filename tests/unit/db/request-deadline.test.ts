import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { currentDeadline, withDeadline } from '../../../server/core/db/request-deadline.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const outcome = (work: Promise<unknown>) => work.catch((error: { code: string }) => error.code)

test('a request that is answered in time does not query the database for waiting commits', async () => {
  const commitsWait = vi.fn(async () => true)
  expect(await withDeadline(async () => 'done', commitsWait)).toBe('done')
  expect(commitsWait).not.toHaveBeenCalled()
})

test('a request that is slow for another reason is not cancelled', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const answer = withDeadline(() => promise, async () => false)
  await vi.advanceTimersByTimeAsync(60_000)
  resolve('an export')
  expect(await answer).toBe('an export')
})

test('a request that waits while commits wait for a standby ends after ten seconds and can start nothing', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  let deadline: ReturnType<typeof currentDeadline>
  const began = performance.now()
  const answer = outcome(withDeadline(() => {
    deadline = currentDeadline()
    return promise
  }, async () => true))
  await vi.advanceTimersByTimeAsync(9_900)
  expect(() => deadline!.assertNotOver()).not.toThrow()
  await vi.advanceTimersByTimeAsync(200)
  expect([await answer, Math.round((performance.now() - began) / 1000)]).toEqual(['commits_waiting', 10])
  expect(() => deadline!.assertNotOver()).toThrow('commits_waiting')
  resolve('late')
})
