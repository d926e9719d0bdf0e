import type { Logger } from '@svc/kit'
import { describeError } from './log.ts'

/** Logs the failures of work that is retried again and again. */
export interface FailureLog {
  /** `about` names what failed. */
  failed(error: unknown, about?: Record<string, unknown>): void
  worked(): void
}

const AGAIN_MS = 60_000

/**
 * Logs the first failure with its stack as `<name>.failed`, later ones without it at most once a minute, and
 * `<name>.back` once it works again.
 */
export function createFailureLog(
  log: Pick<Logger, 'warn'>,
  name: string,
  now: () => number = () => performance.now()
): FailureLog {
  let since: number | null = null
  let loggedAt = 0
  let failures = 0

  return {
    failed(error, about = {}) {
      failures++
      if (since !== null && now() - loggedAt < AGAIN_MS) return
      log.warn(`${name}.failed`, {
        ...about, ...since === null ? { error } : { reason: describeError(error).message, failures }
      })
      loggedAt = now()
      since ??= loggedAt
    },
    worked() {
      if (since === null) return
      log.warn(`${name}.back`, { seconds: Math.round((now() - since) / 1000), failures })
      since = null
      failures = 0
    }
  }
}
