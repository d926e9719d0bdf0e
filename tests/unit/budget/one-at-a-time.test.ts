import { expect, test } from 'vitest'
import { createQueue } from '../../../layers/budget/server/services/link/one-at-a-time.ts'

test('tasks with the same key run one after the other, in order, even after one fails', async () => {
  const inTurn = createQueue()
  const seen: string[] = []
  let running = 0

  async function work(name: string) {
    running += 1
    expect(running).toBe(1)
    await new Promise(resolve => setImmediate(resolve))
    running -= 1
    seen.push(name)
    if (name === 'b') throw new Error(name)
    return name
  }

  const results = await Promise.allSettled(['a', 'b', 'c', 'd'].map(name => inTurn('link', () => work(name))))
  expect(seen).toEqual(['a', 'b', 'c', 'd'])
  expect(results.map(result => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
})

test('tasks with another key do not wait', async () => {
  const inTurn = createQueue()
  let open = () => {}
  const slow = inTurn('a', () => new Promise<void>((resolve) => {
    open = resolve
  }))
  await expect(inTurn('b', async () => 'done')).resolves.toBe('done')
  open()
  await slow
})
