import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds that drawing may hold the process at a stretch; what waits meanwhile comes in between. */
const SLICE_MS = 10

let began = -Infinity
let queue: Promise<void> = Promise.resolve()

/**
 * For work that goes on for long, between its parts: once the slice is used up it waits for a turn of the event loop.
 * All who wait get a turn each, one after the other, so that of many at once too others come in between.
 */
export async function yieldTurn(): Promise<void> {
  if (performance.now() - began < SLICE_MS) return
  queue = queue.then(() => nextTurn()).then(() => {
    began = performance.now()
  })
  await queue
}
