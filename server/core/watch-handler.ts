import type { Logger } from '@svc/kit'

/** What is running: `endpoint` is, for example, `GET /api/v1/recall/recalls`, or the name of an event or job. */
export interface Work { module: string, endpoint: string }
interface Running extends Work { log: Logger }

interface Limits { most_ms: number, look_every_ms: number }

/**
 * Creates `watchHandler`, which runs a handler and logs `handler.blocked` if it kept the event loop busy for longer
 * than `most_ms`. The cause is certain if a handler blocks before its first await or right before its end. If it blocks
 * in between, any running handler may be the cause, and `handlers` is their number.
 */
export function createHandlerWatch({ most_ms, look_every_ms }: Limits) {
  const running = new Set<Running>()
  let seen = performance.now()
  let looking: NodeJS.Timeout | undefined

  /** While something else ran, the timer could not. */
  function look(suspects: Running[]): void {
    const now = performance.now()
    const ms = Math.round(now - seen)
    seen = now
    if (ms - look_every_ms <= most_ms) return
    const handlers = suspects.length > 1 ? { handlers: suspects.length } : {}
    for (const { log, module, endpoint } of suspects) log.warn('handler.blocked', { module, endpoint, ms, ...handlers })
  }

  return async function watchHandler<T>(log: Logger, work: Work, run: () => T | Promise<T>): Promise<T> {
    looking ??= setInterval(() => look([...running]), look_every_ms).unref()
    if (running.size === 0) seen = performance.now() // no handler is the cause of what came before
    const own: Running = { ...work, log }
    running.add(own)
    try {
      const result = run()
      look([own])
      return await result
    } finally {
      running.delete(own)
      look([own])
    }
  }
}

/** All handlers share the event loop of this process. After two seconds people notice, and probes begin to fail. */
export const watchHandler = createHandlerWatch({ most_ms: 2000, look_every_ms: 250 })
