import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { renderBudget } from '../../../../layers/budget/server/pdf/render.ts'
import { aDocument, someLines } from '../../../support/budget-document.ts'

const aLongOne = () => renderBudget(aDocument({ items: someLines(200) }))

// Loads the engine, in turns of its own.
beforeAll(async () => void await aLongOne())

// A clock by which each slice is used up when it is looked at: how fast the machine is does not matter.
let now = performance.now()
beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => now += 1000)
})
afterEach(() => vi.restoreAllMocks())

/** How often something else had its turn until `work` was done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let [turns, isOver] = [0, false]
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await work
  isOver = true
  return turns
}

test('a long document is drawn in many turns, so that others are answered in between', async () => {
  expect(await turnsDuring(aLongOne())).toBeGreaterThan(5)
})

test('of many long ones at once each lets the others, and everybody else, go on', async () => {
  const alone = await turnsDuring(aLongOne())
  expect(await turnsDuring(Promise.all([aLongOne(), aLongOne(), aLongOne(), aLongOne()]))).toBeGreaterThan(3 * alone)
})

test('drawn at once, documents are the same as drawn alone', async () => {
  const alone = await aLongOne()
  for (const { bytes } of await Promise.all([aLongOne(), aLongOne(), aLongOne()])) expect(Buffer.from(bytes).equals(alone.bytes)).toBe(true)
})
