export interface ProblemFields {
  /** A sentence that helps the user; replaces the table's. */
  detail?: string
  /** 422 only: which values are wrong. Pointers are RFC 6901, from the body's root. */
  errors?: { pointer: string, message: string }[]
  /** Seconds; becomes the header `Retry-After`. */
  retry_after?: number
  /** A limit that the module counts itself; becomes `RateLimit-Policy`, and `RateLimit` with nothing remaining. */
  limit?: { name: string, points: number, seconds: number }
  /** Everything else becomes an extension member of the problem document (RFC 9457 3.2). */
  [member: string]: unknown
}

/** An error with a code. The status and title come from the module's `problems` table, or the host's. */
export interface Problem extends Error {
  readonly svc_problem: true
  readonly code: string
  readonly fields: ProblemFields
}

/** `throw problem('link_locked', { locked_until })` */
export function problem(code: string, fields: ProblemFields = {}): Problem {
  const error = new Error(fields.detail ?? code)
  error.name = 'Problem'
  return Object.assign(error, { svc_problem: true as const, code, fields })
}

/** Tests the shape instead of the class, since a package may carry its own copy of the kit. */
export const isProblem = (error: unknown): error is Problem =>
  error instanceof Object
  && (error as Partial<Problem>).svc_problem === true
  && typeof (error as Partial<Problem>).code === 'string'

/** Code → HTTP status, short title, and the sentence that is used when the thrower gives no `detail`. */
export type ProblemTable = Record<string, { status: number, title: string, detail?: string }>
