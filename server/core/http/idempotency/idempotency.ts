import { createHash } from 'node:crypto'
import { problem, type Endpoint, type ModuleRequest } from '@svc/kit'
import type { IncomingMessage } from 'node:http'
import type { H3Event } from 'h3'
import { currentDeadline, outsideDeadline } from '../../db/request-deadline.ts'
import type { Host } from '../../host.ts'
import { readBytes } from '../body.ts'
import { isWhole, type Answer, type Headers } from '../encode.ts'
import { isNamedAccess } from '../named-access.ts'
import type { Call, Mount } from '../types.ts'
import { beginRun, forgetRun, storeAnswer, RENEW_MS, renewRun, type First, type Run } from './runs.ts'

const PURPOSE = 'core.idempotency'
const HEADER = 'idempotency-key'

/** Whether the endpoint accepts the header: every POST for staff does. */
export const acceptsKey = ({ method, endpoint }: { method: string, endpoint: Endpoint }): boolean =>
  method === 'post'
  && endpoint.access !== 'none'
  && typeof endpoint.access !== 'function'
  && !isNamedAccess(endpoint.access)

export type Idempotent = (
  work: { event: H3Event, call: Call, request: ModuleRequest, max_body: number },
  attempt: () => Promise<Answer>
) => Promise<Answer>

/**
 * draft-ietf-httpapi-idempotency-key-header: the first request with a key runs, and the same request within 24 hours
 * gets the same answer. Access was checked before. Null for an endpoint that ignores the header.
 */
export function createIdempotent(host: Host, mount: Mount): Idempotent | null {
  if (!acceptsKey(mount)) return null
  return async function idempotent({ event, call, request, max_body }, attempt) {
    const key = request.headers[HEADER]
    if (key === undefined) return await attempt()
    assertPrintable(key)
    const body = await readBytes(event.node.req, max_body)
    // A body can be read only once; the endpoint gets it from here.
    Object.assign(event.node.req as IncomingMessage & { body?: unknown }, { body })
    const id = idOf(request, call, key)
    const body_mac = host.secrets.mac(PURPOSE, body)
    const found = await outsideDeadline(() => beginRun(host.db, { id, body_mac }))
    if ('run_id' in found) return await runFirst(host, found, { attempt, shown_once: mount.endpoint.shown_once ?? [] })
    return replay(host, { id, body, first: found })
  }
}

function assertPrintable(key: string): void {
  if (/^[\x20-\x7E]{1,100}$/.test(key)) return
  const message = 'The header Idempotency-Key must be 1 to 100 printable characters (ASCII).'
  throw problem('validation_failed', { detail: message, errors: [{ pointer: '', message }] })
}

/** The caller, the clinic and the address are part of the id, so that equal keys of others don't match. */
function idOf({ actor }: ModuleRequest, { path, query }: Call, key: string): Buffer {
  const caller = actor!.token_id ? ['token', actor!.token_id] : ['user', actor!.user_id]
  return createHash('sha256').update(JSON.stringify([actor!.clinic_id, ...caller, path, query, key])).digest()
}

interface Attempt { attempt: () => Promise<Answer>, shown_once: string[] }

async function runFirst(host: Host, run: Run, { attempt, shown_once }: Attempt): Promise<Answer> {
  const renewing = setInterval(() => {
    outsideDeadline(() => renewRun(host.db, run)).catch(error => host.log.warn('http.idempotency', { error }))
  }, RENEW_MS)
  renewing.unref()
  let answer: Answer | null = null
  try {
    currentDeadline()?.assertNotOver()
    answer = await attempt()
    return answer
  } finally {
    clearInterval(renewing)
    await outsideDeadline(() => end(host, run, { answer, shown_once }))
  }
}

/**
 * Stores the answer, or forgets the run if the answer means "later" (5xx, 429) and nothing was done, so that the client
 * can retry. An answer that is generated while it is sent is generated again. If the answer can't be stored, the client
 * still gets it, and the run ends with its lease. Runs outside the request's deadline, as `beginRun` does: the row is
 * not part of the request's work and must be removed even if the request came too late.
 */
async function end(
  { db, secrets, log }: Host,
  run: Run,
  { answer, shown_once }: { answer: Answer | null, shown_once: string[] }
): Promise<void> {
  try {
    if (!answer || answer.status >= 500 || answer.status === 429 || !isWhole(answer.body)) await forgetRun(db, run)
    else {
      const kept = toKept(run.id, withoutSecrets(answer, shown_once))
      await storeAnswer(db, run, secrets.seal(PURPOSE, JSON.stringify(kept)))
    }
  } catch (error) {
    log.error('http.idempotency', { error })
  }
}

/**
 * Secrets that are shown once are not stored: nobody can read a token from the stored answer, neither with the key and
 * the session, nor in the database with the instance's secret.
 */
function withoutSecrets(answer: Answer, names: string[]): Answer {
  if (names.length === 0 || typeof answer.body !== 'string' || answer.status >= 300) return answer
  const body = JSON.parse(answer.body) as { data: Json }
  const left_out = names.filter(name => omitMember(body.data, name.split('.')))
  if (left_out.length === 0) return answer
  const notice = `Shown once, in the first answer, and left out here: ${left_out.join(', ')}.`
  return { ...answer, body: JSON.stringify({ ...body, data: { ...body.data, notice } }) }
}

type Json = Record<string, unknown>

/** False if there is nothing at that path. */
function omitMember(data: Json, [name, ...inner]: string[]): boolean {
  const value = data[name!]
  if (value === null || value === undefined) return false
  if (inner.length > 0) return omitMember(value as Json, inner)
  Reflect.deleteProperty(data, name!)
  return true
}

interface StoredAnswer { id: string, status: number, headers: Headers, body: string | null, base64: boolean }

/**
 * The answer with the id of its row, which binds it to that row. Cookies are left out: they are for the browser that
 * got them first.
 */
function toKept(id: Buffer, { status, headers: { 'set-cookie': _cookies, ...headers }, body }: Answer): StoredAnswer {
  const kept = { id: id.toString('base64url'), status, headers }
  if (body instanceof Uint8Array) return { ...kept, body: Buffer.from(body).toString('base64'), base64: true }
  return { ...kept, body: typeof body === 'string' ? body : null, base64: false }
}

/** Throws `idempotency_mismatch` or `idempotency_running`. */
function replay(host: Host, { id, body, first }: { id: Buffer, body: Buffer, first: First }): Answer {
  if (!host.secrets.verifyMac(PURPOSE, body, first.body_mac)) throw problem('idempotency_mismatch')
  if (first.answer === null) throw problem('idempotency_running', { retry_after: 1 })
  const kept = JSON.parse(Buffer.from(host.secrets.open(PURPOSE, first.answer)).toString()) as StoredAnswer
  if (kept.id !== id.toString('base64url')) throw new Error('a kept answer was moved in the database')
  return {
    status: kept.status,
    headers: { ...kept.headers, 'idempotency-replayed': 'true' },
    body: kept.base64 ? Buffer.from(kept.body!, 'base64') : kept.body
  }
}
