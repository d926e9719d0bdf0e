import { Problem } from '../../../shared/problem.ts'

/** Anything that a contract's zod schema is. */
interface Shape<T> { parse (input: unknown): T }
export interface CallOptions<T> {
  query?: Record<string, string | number | boolean | string[] | null | undefined>
  body?: unknown
  /** Shape of what the envelope's `data` holds. Left out for answers without content. */
  answer?: Shape<T>
  /** The `ETag` that was read: the server refuses when someone else changed it since (412). */
  if_match?: string | null
  /** For files: sent as they are. */
  raw?: Blob
  /** For a file with what belongs to it. The browser names the content type. */
  form?: FormData
  /** The answer is a file: `data` is its Blob. */
  file?: boolean
  signal?: AbortSignal
  /** For what takes the server longer than half a minute. */
  timeout_ms?: number
}
/** `meta` holds what stands beside `data`, such as `total`; `etag` the answer's. */
export interface Answer<T> { data: T, meta: Record<string, unknown>, etag: string | null, headers: Headers }

const TIMEOUT_MS = 30_000

/**
 * The instance's API, called as the person who is logged in. Throws an `ApiError` with the problem document; code
 * `unreachable` (status 0) when no answer came. An ended session asks for the password over the page and then goes
 * on, so that nothing typed is lost; so does what the person has to confirm.
 */
export function useApi() {
  const session = useSession()
  const confirmation = useConfirmation()

  async function call<T>(method: string, path: string, options: CallOptions<T> = {}): Promise<Answer<T>> {
    if (session.moved.value) throw elsewhere()
    try {
      return await send(method, path, options)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.code === 'permission_denied') void session.load() // someone changed what we may do
      if (error.code === 'second_factor_required' || error.code === 'factor_review_required')
        void session.load().then(() => void navigateTo('/account'))
      // Again, and not only once: after the password something else may be missing.
      if (error.code === 'confirmation_required' && (await confirmation.ask(error.problem)))
        return await call(method, path, options)
      if (error.status !== 401 || !session.me.value) throw error
      if (!await session.renew()) throw error
      return await send(method, path, options)
    }
  }

  return {
    get: <T>(path: string, options?: CallOptions<T>) => call('GET', path, options),
    post: <T>(path: string, options?: CallOptions<T>) => call('POST', path, options),
    patch: <T>(path: string, options?: CallOptions<T>) => call('PATCH', path, options),
    put: <T>(path: string, options?: CallOptions<T>) => call('PUT', path, options),
    remove: <T>(path: string, options?: CallOptions<T>) => call('DELETE', path, options)
  }
}

/** Sends without handling an ended session; used for sign-in itself. */
export async function send<T>(
  method: string,
  path: string,
  { query, body, answer, if_match, raw, form, file, signal, timeout_ms = TIMEOUT_MS }: CallOptions<T> = {}
): Promise<Answer<T>> {
  const response = await reach(path + toSearch(query), {
    method,
    headers: {
      Accept: 'application/json',
      ...(body !== undefined ? { 'Content-Type': 'application/json' } : {}),
      ...(raw ? { 'Content-Type': raw.type } : {}),
      ...(if_match ? { 'If-Match': if_match } : {})
    },
    body: form ?? raw ?? (body === undefined ? undefined : JSON.stringify(body)),
    // Of each call, not of what hangs on it: while the password is asked no time is lost.
    signal: AbortSignal.any([...(signal ? [signal] : []), AbortSignal.timeout(timeout_ms)])
  })
  if (file && response.ok) {
    const blob = await response.blob().catch(() => {
      throw unreachable()
    })
    return { data: blob as T, meta: {}, etag: response.headers.get('etag'), headers: response.headers }
  }
  const text = await response.text().catch(() => {
    throw unreachable()
  })
  if (!response.ok) throw new ApiError(problemOf(text, response), path)
  const { data, ...meta } = text ? (JSON.parse(text) as { data: unknown }) : { data: undefined }
  return {
    data: answer ? answer.parse(data) : (data as T),
    meta,
    etag: response.headers.get('etag'),
    headers: response.headers
  }
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  const { lost } = useConnection()
  try {
    const response = await fetch(path, init)
    lost.value = isProxys(response)
    return response
  } catch (error) {
    // The page no longer wants it.
    if (init.signal?.aborted && (init.signal.reason as Error | undefined)?.name === 'AbortError') throw error
    lost.value = true
    throw unreachable()
  }
}

/**
 * A proxy in between says that it does not reach the server; what the server itself cannot do is a problem document.
 */
const isProxys = ({ status, headers }: Response) =>
  [502, 503, 504].includes(status) && !headers.get('content-type')?.startsWith('application/problem+json')

const unreachable = () =>
  new ApiError({ type: 'about:blank', title: '', status: 0, detail: '', code: 'unreachable', request_id: '' })
/** Not asked: the session is another person's or another clinic's by now. */
const elsewhere = () =>
  new ApiError({ type: 'about:blank', title: '', status: 409, detail: '', code: 'session_moved', request_id: '' })

function toSearch(query: CallOptions<unknown>['query'] = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) {
      if (one !== undefined && one !== null && one !== '') search.append(name, String(one))
    }
  }
  return search.size > 0 ? `?${search}` : ''
}

/** What a proxy in between means, which answers in HTML. */
const OF_PROXY: Record<number, string> = {
  413: 'payload_too_large',
  429: 'too_many_requests',
  502: 'unreachable',
  503: 'unreachable',
  504: 'unreachable'
}
function problemOf(text: string, response: Response): Problem {
  try {
    return Problem.parse(JSON.parse(text))
  } catch {
    return {
      type: 'about:blank',
      title: '',
      status: response.status,
      detail: '',
      code: OF_PROXY[response.status] ?? 'internal_error',
      request_id: response.headers.get('x-request-id') ?? ''
    }
  }
}
