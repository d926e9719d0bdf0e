import type { AuditEntry } from '@svc/kit'
import type { Host } from '../host.ts'
import { recordAudit, toAuditActor } from './record-audit.ts'

/** What is recorded after the answer: requests that were refused, which belong to no transaction. */
export interface LaterAudit {
  /** `find` is asked when its turn comes. */
  record (find: () => Promise<AuditEntry[]>): void
  /** When everything that was given until now is written. */
  settled (): Promise<void>
}

/** Of one member and action in an hour; the last of them says that more were left out. */
const MOST_AN_HOUR = 100
/** Of this process: what comes while so many wait is left out. */
const MOST_WAITING = 500

/**
 * One row after the other, whatever the number of requests: refusals take no connections from others, and cost the
 * caller no time that would show whether an account is known. A member fills a log no faster than by 100 rows an hour.
 */
export function createLaterAudit({ db, secrets, limits, log }: Pick<Host, 'db' | 'secrets' | 'limits' | 'log'>): LaterAudit {
  const perHour = limits.limiter({ name: 'core:audit', points: MOST_AN_HOUR, seconds: 3600 })
  let waiting = 0
  let running: Promise<void> = Promise.resolve()

  async function write(find: () => Promise<AuditEntry[]>): Promise<void> {
    for (const entry of await find()) {
      const { id } = toAuditActor(entry.actor)
      const { allowed, remaining } = await perHour.take(`${entry.clinic_id} ${entry.action} ${id}`)
      if (!allowed) continue
      const detail = remaining === 0 ? { ...entry.detail, more_left_out: true } : entry.detail
      await db.transaction(tx => recordAudit({ secrets }, tx, { ...entry, detail }))
    }
  }

  return {
    record(find) {
      if (waiting >= MOST_WAITING) return log.warn('audit.left_out', { waiting })
      waiting += 1
      running = running
        .then(() => write(find))
        .catch((error: unknown) => log.error('audit.failed', { error }))
        .finally(() => { waiting -= 1 })
    },
    settled: () => running
  }
}
