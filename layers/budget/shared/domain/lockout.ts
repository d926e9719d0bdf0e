/** A link locks with every fifth failure since the last right code, unlock or code change. */
export const FAILURES_PER_LOCK = 5

/**
 * The durations of the first lock and of each later one. A stranger who found the link can lock the patient out for at
 * most an hour at a time.
 */
export const LOCK_SECONDS = [15 * 60, 60 * 60] as const

/** How long the link is locked after this number of failures, in seconds; null if it is not. */
export function lockAfter(failures: number): number | null {
  if (failures === 0 || failures % FAILURES_PER_LOCK !== 0) return null
  const nth = Math.min(failures / FAILURES_PER_LOCK, LOCK_SECONDS.length)
  return LOCK_SECONDS[nth - 1]!
}

/** How many wrong codes may still be entered before the next lock. */
export function attemptsLeft(failures: number): number {
  return FAILURES_PER_LOCK - failures % FAILURES_PER_LOCK
}

/** Whether the link is locked, by the database's clock. A lock ends when its time is over. */
export function lockOf({ link: { locked_until }, now }: { link: { locked_until: Date | null }, now: Date }): {
  locked: boolean
  locked_until: Date | null
} {
  const locked = locked_until !== null && locked_until > now
  return { locked, locked_until: locked ? locked_until : null }
}
