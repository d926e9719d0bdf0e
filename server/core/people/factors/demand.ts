import type { coreClinic } from '../../db/schema.ts'
import type { SignInWay } from '../../http/types.ts'

/** From the day on which a clinic requires it, or on which the person joined. */
const GRACE_MS = 7 * 24 * 3_600_000

interface MemberFactors {
  /** Who needs a second factor in the clinic, and since when. */
  demanded?: typeof coreClinic.$inferSelect['second_factor'] | null | undefined
  since?: Date | null
  role: string
  /** When the person joined. */ consented_at: Date | null
  factors: string | null
  /** By the database's clock. */ now_ms?: number
  /** A provider requires its own second factor. */ way: SignInWay | null
}

/** Until when a member can work without the required second factor; null if none is missing. */
export function findDue({ demanded, since, role, consented_at, factors, way, now_ms = 0 }: MemberFactors) {
  const isDemanded = demanded === 'all' || (demanded === 'administrators' && role === 'admin')
  if (!isDemanded || factors !== null || way === 'provider') return null
  const begin = Math.max(since?.getTime() ?? 0, consented_at?.getTime() ?? 0)
  const until = new Date(begin + GRACE_MS)
  return { until, overdue: until.getTime() <= now_ms }
}
