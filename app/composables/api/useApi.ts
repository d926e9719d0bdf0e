import { Problem } from '../../../shared/problem.ts'

/** A contract's zod schema. */
interface Shape<T> { parse (input: unknown): T }
export interface CallOptions<T> {
  query?: Record<string, string | number | boolean | string[] | null | undefined>
  body?: unknown
  /** The schema of the envelope's `data`. Omit it for responses without content. */
  answer?: Shape<T>
  /** The `ETag` of the version that was read. The server refuses the change if there is a newer one (412). */
  if_match?: string | null
  /** A file, sent as it is. */
  raw?: Blob
  /** A file with other fields. The browser sets the content type. */
  form?: FormData
  /** The response is a file, and `data` is its Blob. */
  file?: boolean
  signal?: AbortSignal
  /** For requests that may take the server longer than 30 s. */
  timeout_ms?: number
}
/** `meta` has the envelope's other members, such as `total`; `etag` is the response's. */
export interface Answer<T> { data: T, meta: Record<string, unknown>, etag: string | null, headers: Headers }

const TIMEOUT_MS = 30_000

/**
 * The instance's API, called as the signed-in person. Throws an `ApiError` with the problem document, or with the code
 * `unreachable` and status 0 if there was no response. If the session has ended, it asks for the password over the page
 * and then sends the request again, so that nothing typed is lost. It does the same if the person has to confirm their
 * identity.
 */
export function useApi() {
  const session = useSession()
  const { renew } = usePasswordPrompt()
  const confirmation = useConfirmation()

  async function call<T>(method: string, path: string, options: CallOptions<T> = {}): Promise<Answer<T>> {
    if (session.moved.value) throw elsewhere()
    try {
      return await send(method, path, options)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.code === 'permission_denied') void session.load() // someone changed the person's permissions
      if (error.code === 'second_factor_required' || error.code === 'factor_review_required')
        void session.load().then(() => void navigateTo('/account'))
      // Calls itself, because a factor may still be missing after the password.
      if (error.code === 'confirmation_required' && (await confirmation.ask(error.problem)))
        return await call(method, path, options)
      if (error.status !== 401 || !session.me.value) throw error
      if (!await renew()) throw error
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

/** Sends a request without handling an ended session. Used to sign in. */
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
    // The timeout is for each request alone: the time to type the password doesn't count.
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
    // The page aborted the request because it no longer needs the response.
    if (init.signal?.aborted && (init.signal.reason as Error | undefined)?.name === 'AbortError') throw error
    lost.value = true
    throw unreachable()
  }
}

/** Whether a proxy answered because it can't reach the server. The server's own errors are problem documents. */
const isProxys = ({ status, headers }: Response) =>
  [502, 503, 504].includes(status) && !headers.get('content-type')?.startsWith('application/problem+json')

const unreachable = () =>
  new ApiError({ type: 'about:blank', title: '', status: 0, detail: '', code: 'unreachable', request_id: '' })
/** Used instead of a request, because the session now belongs to another person or clinic. */
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

/** The codes of a proxy's responses, which are HTML. */
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
