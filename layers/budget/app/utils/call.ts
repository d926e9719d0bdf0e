/** An answer of the API, read by a person's page: the data, or what stood in the way. Never throws. */
export type Answer<T> = { /** The server's clock, in milliseconds. */ server_time: number, retry_after: number | null }
  & ({ ok: true, data: T } | { ok: false, problem: ApiProblem })

/** RFC 9457 as our API fills it. `unreachable` is ours: no answer came, so nothing is known about the effect. */
export interface ApiProblem {
  code: string
  status: number
  attempts_left?: number
  locked_until?: string | null
  errors?: { pointer: string, message: string }[]
}

const TIMEOUT_MS = 20_000

export interface CallOptions { method?: 'POST' | 'DELETE', body?: object, query?: Record<string, string> }

/** Calls the API from the browser and takes the data out of its envelope. */
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
    // The reader need not know whether there was no connection, a cut answer, or none in time.
    return { server_time: Date.now(), retry_after: null, ok: false, problem: { code: 'unreachable', status: 0 } }
  }
}

/** `AbortSignal.timeout`, for the older browsers inside messengers too. */
function endsWithin(ms: number): AbortSignal {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), ms)
  return controller.signal
}

/** A proxy in between may answer in HTML. */
function problemOf(text: string): Omit<ApiProblem, 'status'> {
  try {
    return { code: 'internal_error', ...JSON.parse(text) as object }
  } catch {
    return { code: 'internal_error' }
  }
}

/** No answer, or a fault of the server: the call may have had its effect or not. */
export const isUncertain = (problem: ApiProblem) => problem.status === 0 || problem.status >= 500

function seconds(header: string | null): number | null {
  const value = Number(header)
  return header && Number.isFinite(value) ? value : null
}
