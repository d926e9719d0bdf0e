import { expect, test } from 'vitest'
import { createCheckQueue } from '../../../server/core/imports/check-queue.ts'
import type { CheckQueue } from '../../../server/core/types.ts'

interface Options { clinic_id?: string, signal?: AbortSignal }

/** A check that runs until `end` is called. */
function aCheck(queue: CheckQueue, id: string, { clinic_id = id, signal }: Options = {}) {
  const work = Promise.withResolvers<string>()
  const begun = Promise.withResolvers<undefined>()
  const result = queue.run({ id, clinic_id, signal }, () => {
    begun.resolve(undefined)
    return work.promise
  })
  result.catch(() => {})
  const end = () => work.resolve(`${id} is checked`)
  return { result, begun: begun.promise, end, fail: (error: Error) => work.reject(error) }
}

const MANY = Array.from({ length: 20 }, (_, n) => `waiting ${n}`)

test('one check runs at a time, and each waiting check knows its position', async () => {
  const queue = createCheckQueue()
  const [first, second, third] = ['a', 'b', 'c'].map(id => aCheck(queue, id))
  expect(['a', 'b', 'c', 'd'].map(queue.countBefore)).toEqual([null, 1, 2, null])
  first!.end()
  expect(await first!.result).toBe('a is checked')
  await second!.begun
  expect(['a', 'b', 'c'].map(queue.countBefore)).toEqual([null, null, 1])
  second!.end()
  await third!.begun
  expect(queue.countBefore('c')).toBeNull()
})

test('a check that fails lets the next one start', async () => {
  const queue = createCheckQueue()
  const [first, second] = ['a', 'b'].map(id => aCheck(queue, id))
  first!.fail(new Error('the file is damaged'))
  await expect(first!.result).rejects.toThrow('the file is damaged')
  await second!.begun
})

test('a check whose caller has left loses its place and never starts', async () => {
  const queue = createCheckQueue()
  const leaving = new AbortController()
  aCheck(queue, 'a')
  const left = aCheck(queue, 'b', { signal: leaving.signal })
  aCheck(queue, 'c')
  leaving.abort(new Error('gone'))
  await expect(left.result).rejects.toThrow('gone')
  expect(['b', 'c'].map(queue.countBefore)).toEqual([null, 1])
  await expect(aCheck(queue, 'd', { signal: leaving.signal }).result).rejects.toThrow('gone')
  expect(queue.countBefore('d')).toBeNull()
})

test('at most twenty checks wait, and at most five of one clinic', async () => {
  const queue = createCheckQueue()
  aCheck(queue, 'runs')
  const own = MANY.slice(0, 5).map(id => aCheck(queue, id, { clinic_id: 'one' }))
  const busy = { code: 'busy', fields: { retry_after: 30 } }
  await expect(aCheck(queue, 'sixth', { clinic_id: 'one' }).result).rejects.toMatchObject(busy)
  for (const id of MANY.slice(5)) aCheck(queue, id)
  await expect(aCheck(queue, 'last').result).rejects.toMatchObject(busy)
  expect(queue.countBefore(MANY.at(-1)!)).toBe(20)
  expect(own).toHaveLength(5)
})

test('a stopping process refuses waiting checks and completes the running one', async () => {
  const queue = createCheckQueue()
  const [runs, waits] = ['a', 'b'].map(id => aCheck(queue, id))
  queue.close()
  await expect(waits!.result).rejects.toMatchObject({ code: 'busy' })
  await expect(aCheck(queue, 'c').result).rejects.toMatchObject({ code: 'busy' })
  runs!.end()
  expect(await runs!.result).toBe('a is checked')
})
