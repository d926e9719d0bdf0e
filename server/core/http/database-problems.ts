import { problem, type Problem } from '@svc/kit'
import { findPressure } from '../db/pressure.ts'

/** The system's words for a connection that fails; others than the database can be meant. */
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
  '25006', 'database_read_only' // a standby: during a failover, or of several hosts none takes writes
])
/** Nobody frees a disk within seconds. */
const FULL_SECONDS = 30
const OVERLOADED_SECONDS = 5
/** Another request holds the row for longer than this one waits. */
const LOCK_NOT_AVAILABLE = '55P03'
const NOT_AN_ID = new Set(['22P02', '22003'])

/**
 * What PostgreSQL knows better than a check before it: a path parameter that is no id of its column's type is as
 * unknown as any other (404), and a database that is away, full or short of memory is a 503 and not a fault. Null for
 * everything else.
 */
export function toDatabaseProblem(error: unknown, params: Record<string, string>): Problem | null {
  const inner = rootOf(error)
  if (!inner) return null
  const isOfStatement = 'query' in inner // the driver puts it there
  if (UNREACHABLE.has(inner.code) || (FAILED_CONNECTION.has(inner.code) && isOfStatement))
    return problem('database_unavailable', { retry_after: 2 })
  const pressure = findPressure(error)
  if (pressure)
    return problem(pressure, { retry_after: pressure === 'database_full' ? FULL_SECONDS : OVERLOADED_SECONDS })
  if (inner.code === LOCK_NOT_AVAILABLE) return problem('busy', { retry_after: OVERLOADED_SECONDS })
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
