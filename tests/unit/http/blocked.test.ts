import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import type { Logger } from '@svc/kit'
import { createHandlerWatch } from '../../../server/core/watch-handler.ts'

const lines: unknown[] = []
const log = { warn: (event: string, fields: object) => void lines.push({ event, ...fields }) } as unknown as Logger
beforeEach(() => void lines.splice(0))

function block(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}
const watchHandler = createHandlerWatch({ most_ms: 100, look_every_ms: 20 })
const watch = (endpoint: string, run: () => unknown) => watchHandler(log, { module: 'recall', endpoint }, run)
const blocked = (endpoint: string, handlers?: number) =>
  ({ event: 'handler.blocked', module: 'recall', endpoint, ms: expect.any(Number), ...(handlers ? { handlers } : {}) })

test('a handler that blocks the event loop beyond the limit is logged, before and after its first await', async () => {
  await watch('GET /busy', () => block(150))
  await watch('GET /later', async () => {
    await pause(1)
    block(150)
  })
  expect(lines).toEqual([blocked('GET /busy'), blocked('GET /later')])
})

test('when a handler blocks, the handlers that run at the same time are named and counted too', async () => {
  const slow = watch('GET /slow', () => pause(400))
  const middle = watch('GET /middle', async () => {
    await pause(1)
    block(150)
    await pause(100)
  })
  await Promise.all([slow, middle])
  expect(lines).toEqual([blocked('GET /slow', 2), blocked('GET /middle', 2)])
})

test('the first handler of a process is not blamed for blocking before it started', async () => {
  const first = createHandlerWatch({ most_ms: 100, look_every_ms: 20 })
  block(150)
  await first(log, { module: 'recall', endpoint: 'GET /first' }, () => 1)
  expect(lines).toEqual([])
})

test('a handler that only waits, or blocks for a shorter time, is not logged', async () => {
  await Promise.all([watch('GET /waits', () => pause(300)), watch('GET /short', () => block(60))])
  expect(lines).toEqual([])
})
