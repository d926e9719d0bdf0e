import { expect, test } from 'vitest'
import { loadOnce } from '../../server/core/load-once.ts'

test('a loader runs once, and again on the next call after a failure', async () => {
  let calls = 0
  const load = loadOnce(async () => {
    calls++
    if (calls === 1) throw new Error('too many open files')
    return calls
  })
  await expect(Promise.all([load(), load()])).rejects.toThrow('too many open files')
  expect(await Promise.all([load(), load()])).toEqual([2, 2])
  expect(await load()).toBe(2)
})
