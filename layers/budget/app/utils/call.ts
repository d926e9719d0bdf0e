/** A response of the API on a public page: the data or the problem. */
export type Answer<T> = { /** The server's clock, in milliseconds. */ server_time: number, retry_after: number | null }
  & ({ ok: true, data: T } | { ok: false, problem: ApiProblem })

/** A problem document (RFC 9457) of our API. Our own code `unreachable` means no response, so the effect is unknown. */
export interface ApiProblem {
  code: string
  status: number
  detail?: string
  /** The module that refused the request before it had an effect. `detail` is its own sentence for the reader. */
  module?: string
  attempts_left?: number
  locked_until?: string | null
  errors?: { pointer: string, message: string }[]
}

const TIMEOUT_MS = 20_000

export interface CallOptions { method?: 'POST' | 'DELETE', body?: object, query?: Record<string, string> }

/** Calls the API from the browser and unwraps the response's envelope. Never throws. */
export async function call<T>(path: string, options: CallOptions = {}): Promise<Answer<T>> {
  try {
    const response = await fetch(options.query ? `${path}?${new URLSearchParams(options.query)}` : path, {
      method: options.method ?? 'GET',
      headers: { Accept: 'application/json', ...(options.body ? { 'Content-Type': 'application/json' } : {}) },
      body: options.body && JSON.stringify(options.body),
      signal: endsWithin(TIMEOUT_MS)
    })
    const text = await response.text()
    const heard = {
      server_time: Date.parse(response.headers.get('date') ?? '') || Date.now(),
      retry_after: seconds(response.headers.get('retry-after'))
    }
    if (response.ok) return { ...heard, ok: true, data: (text ? JSON.parse(text).data : undefined) as T }
    return { ...heard, ok: false, problem: { ...problemOf(text), status: response.status } }
  } catch {
    // Readers don't need to know whether the connection, the response or its timing failed.
    return { server_time: Date.now(), retry_after: null, ok: false, problem: { code: 'unreachable', status: 0 } }
  }
}

/** Like `AbortSignal.timeout`, which the older browsers inside messengers lack. */
function endsWithin(ms: number): AbortSignal {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), ms)
  return controller.signal
}

/** A proxy may answer in HTML. */
function problemOf(text: string): Omit<ApiProblem, 'status'> {
  try {
    return { code: 'internal_error', ...JSON.parse(text) as object }
  } catch {
    return { code: 'internal_error' }
  }
}

/** There was no response, or the server failed, so the request may or may not have had an effect. */
export const isUncertain = (problem: ApiProblem) => problem.status === 0 || problem.status >= 500

/** What a module says about its refusal; null if it was no refusal, or if the module itself failed. */
export const refusalOf = ({ code, module, detail }: ApiProblem) =>
  module !== undefined && code !== 'module_errored' && detail ? detail : null

function seconds(header: string | null): number | null {
  const value = Number(header)
  return header && Number.isFinite(value) ? value : null
}
