import type { Problem } from '../../shared/problem.ts'

/**
 * What the API refused, with its problem document. `status` 0: no answer came, so nothing is known about the effect.
 */
export class ApiError extends Error {
  readonly problem: Problem
  /** What failed was not asked for by a person: it is shown, but replaces nothing on the page. */
  quiet = false
  /** Where that is found which was to be made: without an answer it may be there already. */
  list: string | null = null
  /** What was asked for: a module, such as `budget`, or a part of the core, such as `webhooks`. */
  readonly area: string | null
  constructor(problem: Problem, path = '') {
    super(problem.detail || problem.code)
    this.problem = problem
    this.area = /^\/api\/v1\/(\w+)/.exec(path)?.[1] ?? null
  }

  get status() { return this.problem.status }
  get code() { return this.problem.code }
  /** Of the texts that say it, the nearest first: the area's own sentence, then the one for all. */
  get textKeys() { return [...this.area ? [`${this.area}.problem.${this.code}`] : [], `problem.${this.code}`] }
  get errors() { return this.problem.errors ?? [] }
}

/** What went wrong as a problem; faults of our own have the code `internal_error`. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  console.error(error)
  return new ApiError({
    type: 'about:blank',
    title: '',
    status: 500,
    detail: '',
    code: 'internal_error',
    request_id: ''
  })
}
