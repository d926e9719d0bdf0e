import type { Cookie, Endpoint, Reply } from '@svc/kit'
import { csvText } from './csv.ts'
import { toPointer } from './validate.ts'

export type Headers = Record<string, string | string[] | number>
/** A body in pieces is generated while it is sent. */
export interface Answer { status: number, headers: Headers, body: string | Uint8Array | AsyncIterable<string> | null }

/** False for a body that is generated while it is sent. */
export const isWhole = (body: Answer['body']): body is string | Uint8Array | null =>
  body === null || typeof body === 'string' || body instanceof Uint8Array

/** Checked by shape: a package may carry its own copy of the kit. */
export const isReply = (result: unknown): result is Reply =>
  typeof result === 'object' && result !== null && (result as Reply).svc_reply === true

/**
 * Turns a handler's result into an answer. Data passes through the endpoint's response schema, so that a member outside
 * it never leaves the server. Data that doesn't match the schema is our bug, and throws.
 */
export function encode(endpoint: Endpoint, result: unknown, secure: boolean): Answer {
  if (result === undefined) return { status: endpoint.status ?? 204, headers: {}, body: null }
  if (!isReply(result)) return json(endpoint.status ?? 200, {}, { data: shape(endpoint, result) })
  const headers: Headers = Object.fromEntries(
    Object.entries(result.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])
  )
  if (result.cookies?.length) headers['set-cookie'] = result.cookies.map(cookie => toSetCookie(cookie, secure))
  if (result.body !== undefined) {
    return {
      status: result.status ?? endpoint.status ?? 200,
      headers: { 'content-type': 'application/octet-stream', ...headers },
      body: result.body
    }
  }
  if (result.csv) {
    return {
      status: result.status ?? endpoint.status ?? 200,
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${result.csv.name}.csv"`,
        ...headers
      },
      body: csvText(result.csv)
    }
  }
  if (result.data === undefined) return { status: result.status ?? endpoint.status ?? 204, headers, body: null }
  return json(result.status ?? endpoint.status ?? 200, headers, {
    data: shape(endpoint, result.data),
    ...(toWire(result.meta ?? {}) as object)
  })
}

const json = (status: number, headers: Headers, value: unknown): Answer =>
  ({ status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) })

function shape(endpoint: Endpoint, data: unknown): unknown {
  const wire = toWire(data)
  if (!endpoint.response) return wire
  const parsed = endpoint.response.safeParse(wire)
  if (parsed.success) return parsed.data
  const where = (parsed.error.issues as { path: PropertyKey[], message: string }[])
    .map(issue => `${toPointer(issue.path)} ${issue.message}`)
    .join('; ')
  throw new TypeError(`the answer does not fit its schema: ${where}`)
}

/**
 * Instants become ISO 8601 with Z. Copies only values that contain an instant. A bigint stays as it is and makes JSON
 * fail, because money has a text form.
 */
export function toWire(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return mapped(value, value.map(toWire))
  let copy: Record<string, unknown> | null = null
  for (const [name, member] of Object.entries(value)) {
    const changed = toWire(member)
    if (changed !== member) (copy ??= { ...value })[name] = changed
  }
  return copy ?? value
}

const mapped = (before: unknown[], after: unknown[]) =>
  after.some((entry, index) => entry !== before[index]) ? after : before

function toSetCookie({ name, value, path, http_only = true, same_site, max_age }: Cookie, secure: boolean): string {
  const parts = [`${name}=${encodeURIComponent(value)}`, `Path=${encodeURI(path).replaceAll(';', '%3B')}`]
  if (max_age !== undefined) parts.push(`Max-Age=${max_age}`)
  if (http_only) parts.push('HttpOnly')
  if (secure) parts.push('Secure')
  parts.push(`SameSite=${same_site === 'strict' ? 'Strict' : 'Lax'}`)
  return parts.join('; ')
}
