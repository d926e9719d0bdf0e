export interface Answer {
  status: number
  headers: Headers
  /** Parsed if it is JSON; undefined without a body. */
  body: any
  bytes: Buffer
}

export interface CallOptions {
  signal?: AbortSignal
  headers?: Record<string, string>
  /** Instead of JSON. */ raw?: string | Uint8Array
}

export interface Caller {
  get (path: string, options?: CallOptions): Promise<Answer>
  head (path: string, options?: CallOptions): Promise<Answer>
  post (path: string, body?: unknown, options?: CallOptions): Promise<Answer>
  patch (path: string, body?: unknown, options?: CallOptions): Promise<Answer>
  put (path: string, body?: unknown, options?: CallOptions): Promise<Answer>
  delete (path: string, options?: CallOptions): Promise<Answer>
  /** `name@path` → value and path. */
  cookies: Map<string, { value: string, path: string }>
}

/** A small browser for tests: stores cookies by path, sends its own origin, and follows no redirects. */
export function createCaller(url: string, { bearer }: { bearer?: string } = {}): Caller {
  const cookies: Caller['cookies'] = new Map()

  async function call(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Answer> {
    const payload = options.raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await fetch(new URL(path, url), {
      method,
      redirect: 'manual',
      ...(options.signal ? { signal: options.signal } : {}),
      headers: {
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
        ...cookieHeader(path),
        ...(method === 'GET' || method === 'HEAD' ? {} : { origin: url }),
        ...options.headers
      },
      body: payload as BodyInit | undefined
    })
    response.headers.getSetCookie().forEach(keep)
    const bytes = Buffer.from(await response.arrayBuffer())
    const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '')
    return {
      status: response.status,
      headers: response.headers,
      bytes,
      body: isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined
    }
  }

  function cookieHeader(path: string): Record<string, string> {
    const sent = [...cookies].filter(
      ([, cookie]) =>
        path === cookie.path || path.startsWith(cookie.path.replace(/\/?$/, '/')) || path.startsWith(`${cookie.path}?`)
    )
    return sent.length === 0
      ? {}
      : { cookie: sent.map(([name, { value }]) => `${name.split('@')[0]}=${value}`).join('; ') }
  }

  function keep(header: string) {
    const [pair, ...attributes] = header.split(';').map(part => part.trim())
    const [name, value] = [pair!.slice(0, pair!.indexOf('=')), pair!.slice(pair!.indexOf('=') + 1)]
    const path = attributes.find(attribute => /^path=/i.test(attribute))?.slice(5) ?? '/'
    const key = `${name}@${path}`
    if (value === '' || attributes.some(attribute => /^max-age=0$/i.test(attribute))) cookies.delete(key)
    else cookies.set(key, { value, path })
  }

  return {
    cookies,
    get: (path, options) => call('GET', path, undefined, options),
    head: (path, options) => call('HEAD', path, undefined, options),
    post: (path, body, options) => call('POST', path, body, options),
    patch: (path, body, options) => call('PATCH', path, body, options),
    put: (path, body, options) => call('PUT', path, body, options),
    delete: (path, options) => call('DELETE', path, undefined, options)
  }
}
