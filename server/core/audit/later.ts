import type { AuditEntry } from '@svc/kit'
import { outsideDeadline } from '../db/request-deadline.ts'
import type { Host } from '../host.ts'
import type { LaterAudit } from '../types.ts'
import { recordAudit, toAuditActor } from './record-audit.ts'

/** Per member and action in an hour; the last row notes that more were left out. The queue has the same limit. */
const MAX_PER_HOUR = 100
/** For this process and all members together. While this many wait, further refused requests are only counted. */
const MAX_WAITING = 500

/**
 * Rows are written one after the other, whatever the number of requests, so that refusals take no connections from
 * others, and cost the caller no time that would show whether an account exists. One member fills a log by at most 100
 * rows an hour, and leaves room for others in the queue: failed sign-ins are always queued, however many requests are
 * refused.
 */
export function createLaterAudit({ db, secrets, limits, log }: Pick<Host, 'db' | 'secrets' | 'limits' | 'log'>): LaterAudit {
  const perHour = limits.limiter({ name: 'core:audit', points: MAX_PER_HOUR, seconds: 3600 })
  const waiting = new Map<string, number>()
  let denied = 0
  /** Refusals left out, by clinic, until a row is written that gives their number. That row counts like a member's. */
  const leftOut = new Map<string, number>()
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

  function append(work: () => Promise<void>, done = () => {}): void {
    running = outsideDeadline(() => running.then(work)).catch((error: unknown) => log.error('audit.failed', { error })).finally(done)
  }

  /** Instead, one row that represents all of them is queued. */
  function leaveOut(clinic_id: string): void {
    const before = leftOut.get(clinic_id)
    leftOut.set(clinic_id, (before ?? 0) + 1)
    if (before !== undefined) return
    log.warn('audit.left_out', { clinic_id, waiting: denied })
    append(() => write(async () => {
      const detail = { left_out: leftOut.get(clinic_id)! }
      leftOut.delete(clinic_id)
      return [{ clinic_id, actor: { type: 'system', id: null, name: 'svc' }, action: 'denied', detail }]
    }))
  }

  return {
    record(refusal, find) {
      const isDenied = refusal.action === 'denied'
      const key = `${refusal.action} ${isDenied ? refusal.clinic_id : ''} ${refusal.actor_id}`
      const before = waiting.get(key) ?? 0
      if (before > MAX_PER_HOUR) return // over the limit, as the row before it says
      if (isDenied && denied >= MAX_WAITING) return leaveOut(refusal.clinic_id)
      waiting.set(key, before + 1)
      denied += isDenied ? 1 : 0
      append(() => write(find), () => {
        const rest = waiting.get(key)! - 1
        if (rest === 0) waiting.delete(key)
        else waiting.set(key, rest)
        denied -= isDenied ? 1 : 0
      })
    },
    settled: () => running
  }
}
