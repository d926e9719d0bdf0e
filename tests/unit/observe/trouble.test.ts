import { expect, test } from 'vitest'
import { createTrouble } from '../../../server/core/observe/trouble.ts'

function aTrouble() {
  let now = 1_000_000
  const trouble = createTrouble(() => now)
  return { trouble, later: (seconds: number) => { now += seconds * 1000 } }
}

test('a part that never failed has a failure time of zero', () => {
  expect(aTrouble().trouble.seconds()).toBe(0)
})

test('a failure counts from its beginning until the part works again', () => {
  const { trouble, later } = aTrouble()
  trouble.note()
  expect(trouble.seconds()).toBe(1)
  later(30)
  trouble.note()
  expect(trouble.seconds()).toBe(30)
  trouble.clear()
  expect(trouble.seconds()).toBe(0)
})

test('a small successful attempt does not end a failure of the last fifteen seconds', () => {
  const { trouble, later } = aTrouble()
  trouble.note()
  trouble.clearUnlessRecent()
  expect(trouble.seconds()).toBe(1)
  later(16)
  trouble.clearUnlessRecent()
  expect(trouble.seconds()).toBe(0)
})

test('an operation that takes more than four seconds counts as failing until it ends', async () => {
  const { trouble, later } = aTrouble()
  const { promise, resolve } = Promise.withResolvers<string>()
  const used = trouble.watch(promise)
  later(3)
  expect(trouble.seconds()).toBe(0)
  later(11)
  expect(trouble.seconds()).toBe(10)
  resolve('done')
  expect(await used).toBe('done')
  expect(trouble.seconds()).toBe(0)
})
