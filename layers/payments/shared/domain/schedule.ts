const MINUTE = 60_000
const FIRST = [1, 5, 30].map(minutes => minutes * MINUTE)
const HOUR = 60 * MINUTE
const END = 3 * 24 * HOUR

/**
 * When the provider is asked about a pending attempt: 1, 5 and 30 minutes after it began, then every hour for three
 * days. `checks`: how often it was asked already. Null: no more.
 */
export function nextCheck({ created_at, now, checks }: { created_at: Date, now: Date, checks: number }): Date | null {
  const age = now.getTime() - created_at.getTime()
  const first = FIRST[checks]
  const after = first !== undefined && first > age ? first : age + (first === undefined ? HOUR : MINUTE)
  return after > END ? null : new Date(created_at.getTime() + after)
}
