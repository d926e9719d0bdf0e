import { problem, type Problem } from '@svc/kit'
import { findPressure } from '../db/pressure.ts'

/** System error codes of a failed connection. They can also come from connections other than the database's. */
const FAILED_CONNECTION = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT'
])
const UNREACHABLE = new Set([
  'CONNECT_TIMEOUT', 'CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED',
  '57P01', '57P02', '57P03', '57P04', '57P05', '25P03', '53300', '58030', '08006', '08001', '08003', '08004',
  '25006', 'database_read_only' // a standby: during a failover, or when none of several hosts accepts writes
])
/** `Retry-After` for a full disk, which is never freed within seconds. */
const FULL_SECONDS = 30
const OVERLOADED_SECONDS = 5
/** PostgreSQL's code: another request holds the row for longer than this one waits. */
const LOCK_NOT_AVAILABLE = '55P03'
/** PostgreSQL has ended one of two transactions that waited for each other. Repeated, it succeeds. */
const DEADLOCK = '40P01'
const NOT_AN_ID = new Set(['22P02', '22003'])

/**
 * Translates errors that only PostgreSQL can detect. A path parameter that doesn't fit its column's type is an unknown
 * id (404). A database that is unreachable, full or short of memory is a 503. Null for every other error.
 */
export function toDatabaseProblem(error: unknown, params: Record<string, string>): Problem | null {
  const inner = rootOf(error)
  if (!inner) return null
  const isOfStatement = 'query' in inner // set by the driver
  if (UNREACHABLE.has(inner.code) || (FAILED_CONNECTION.has(inner.code) && isOfStatement))
    return problem('database_unavailable', { retry_after: 2 })
  const pressure = findPressure(error)
  if (pressure)
    return problem(pressure, { retry_after: pressure === 'database_full' ? FULL_SECONDS : OVERLOADED_SECONDS })
  if (inner.code === LOCK_NOT_AVAILABLE) return problem('busy', { retry_after: OVERLOADED_SECONDS })
  if (inner.code === DEADLOCK) return Object.assign(problem('busy', { retry_after: 1 }), { cause: error })
  if (NOT_AN_ID.has(inner.code) && Object.values(params).some(value => inner.message.includes(`"${value}"`)))
    return problem('not_found')
  return null
}

interface Coded { code: string, message: string }

function rootOf(error: unknown): Coded | null {
  let found: Coded | null = null
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth++) {
    if (typeof (current as Partial<Coded>).code === 'string') found = current as unknown as Coded
  }
  return found
}
