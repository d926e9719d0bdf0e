import type { Problem } from '../../shared/problem.ts'

/**
 * An error of the API, with its problem document. `status` 0 means that there was no response, so the effect is
 * unknown.
 */
export class ApiError extends Error {
  readonly problem: Problem
  /** Nobody asked for the request that failed. The error is shown but doesn't take the focus. */
  quiet = false
  /** The list that shows the record that was to be created. Without a response it may exist already. */
  list: string | null = null
  /** The area of the request: a module, such as `budget`, or a part of the core, such as `webhooks`. */
  readonly area: string | null
  constructor(problem: Problem, path = '') {
    super(problem.detail || problem.code)
    this.problem = problem
    this.area = /^\/api\/v1\/(\w+)/.exec(path)?.[1] ?? null
  }

  get status() { return this.problem.status }
  get code() { return this.problem.code }
  /**
   * Translation keys of the error, most specific first: the area's own text, then the general one. If a module refused
   * what another one was about to do, only its own texts fit.
   */
  get textKeys() {
    const { module } = this.problem
    const isRefusal = typeof module === 'string' && this.code !== 'module_errored'
    if (isRefusal) return [`${module}.problem.${this.code}`]
    return [...this.area ? [`${this.area}.problem.${this.code}`] : [], `problem.${this.code}`]
  }

  get errors() { return this.problem.errors ?? [] }
}

/** Converts any thrown value. Errors that didn't come from the API get the code `internal_error`. */
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
