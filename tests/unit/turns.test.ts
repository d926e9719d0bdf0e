import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTurns } from '../../server/core/webhooks/turns.ts'

/** Tasks that run until `finish`. */
function held(max_running: number) {
  const begun: string[] = []
  const open = new Map<string, (hasMore: boolean) => void>()
  const turns = createTurns<string>({
    max_running,
    run: task => new Promise((resolve) => {
      begun.push(task)
      open.set(task, resolve)
    }),
    onError() {}
  })
  const finish = async (task: string, hasMore = false) => {
    open.get(task)!(hasMore)
    await turn()
  }
  return { turns, begun, finish }
}

test('only a limited number of tasks run at once, and only one for each key', async () => {
  const { turns, begun, finish } = held(2)
  for (const key of ['a', 'b', 'c']) turns.add(key, key)
  expect(begun).toEqual(['a', 'b'])
  await finish('b')
  expect(begun).toEqual(['a', 'b', 'c'])
})

test('any number of requests during a run of the key causes one more run', async () => {
  const { turns, begun, finish } = held(2)
  turns.add('a', 'first')
  turns.add('a', 'second')
  turns.add('a', 'third')
  expect(begun).toEqual(['first'])
  await finish('first')
  expect(begun).toEqual(['first', 'third'])
  await finish('third')
  expect(begun).toEqual(['first', 'third'])
  expect(turns.isFull()).toBe(false)
})

test('a key with more work waits behind the others', async () => {
  const { turns, begun, finish } = held(1)
  turns.add('a', 'a')
  turns.add('b', 'b')
  await finish('a', true)
  await finish('b')
  expect(begun).toEqual(['a', 'b', 'a'])
})

test('a task that fails is reported, and the next one starts', async () => {
  const errors: unknown[] = []
  const turns = createTurns<string>({
    max_running: 1,
    run: task => task === 'bad' ? Promise.reject(new Error('no')) : Promise.resolve(false),
    onError: (error, task) => void errors.push([task, (error as Error).message])
  })
  turns.add('bad', 'bad')
  turns.add('good', 'good')
  await turns.ended()
  await turn()
  expect(errors).toEqual([['bad', 'no']])
  expect(turns.isFull()).toBe(false)
})

test('after the stop no task starts, and running tasks are awaited', async () => {
  const { turns, begun, finish } = held(1)
  turns.add('a', 'a')
  turns.add('b', 'b')
  let isStopped = false
  const stopped = turns.stop(60_000).then(() => {
    isStopped = true
  })
  await turn()
  expect(isStopped).toBe(false)
  await finish('a')
  await stopped
  expect(begun).toEqual(['a'])
})

test('the queue is full while a task waits for a free place, not while a task waits for its own key', async () => {
  const { turns, finish } = held(2)
  turns.add('a', 'first')
  turns.add('a', 'second')
  expect(turns.isFull()).toBe(false)
  turns.add('b', 'b')
  turns.add('c', 'c')
  expect(turns.isFull()).toBe(true)
  await finish('b')
  expect(turns.isFull()).toBe(false)
})
