import { beforeAll, expect, test } from 'vitest'
import { renderBudget } from '../../../../layers/budget/server/pdf/render.ts'
import { aDocument, someLines } from '../../../support/budget-document.ts'

const aLongOne = () => renderBudget(aDocument({ items: someLines(200) }))

// Loads the engine, in turns of its own.
beforeAll(async () => void await aLongOne())

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
  expect(await turnsDuring(Promise.all([aLongOne(), aLongOne(), aLongOne(), aLongOne()]))).toBeGreaterThan(20)
})

test('drawn at once, documents are the same as drawn alone', async () => {
  const alone = await aLongOne()
  for (const { bytes } of await Promise.all([aLongOne(), aLongOne(), aLongOne()])) expect(Buffer.from(bytes).equals(alone.bytes)).toBe(true)
})
