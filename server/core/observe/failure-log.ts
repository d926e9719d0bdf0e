import type { Logger } from '@svc/kit'
import { describeError } from '../log.ts'

/** How what is tried again and again writes its failures to the log. */
export interface FailureLog {
  failed(error: unknown): void
  worked(): void
}

const AGAIN_MS = 60_000

/**
 * The first failure is logged with its stack as `<name>.failed`, those that follow at most once a minute without it,
 * and `<name>.back` once it works again.
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
    failed(error) {
      failures++
      if (since !== null && now() - loggedAt < AGAIN_MS) return
      log.warn(`${name}.failed`, since === null ? { error } : { reason: describeError(error).message, failures })
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
