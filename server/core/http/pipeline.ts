import { isProblem, problem, type Ctx, type ModuleRequest, type ProblemTable } from '@svc/kit'
import type { H3Event } from 'h3'
import { recordDenied } from '../audit/record-denied.ts'
import { withDeadline } from '../db/request-deadline.ts'
import { findPressure } from '../db/pressure.ts'
import { describeError } from '../log.ts'
import { watchHandler } from '../watch-handler.ts'
import type { Host } from '../host.ts'
import { createAuthorize } from './authorize.ts'
import { readBytes, readJson, streamBytes } from './body.ts'
import { recordExport } from './csv.ts'
import { encode, isReply, type Answer } from './encode.ts'
import { createEndpointLimits, type CallLimits } from './endpoint-limits.ts'
import { createIdempotent } from './idempotency/idempotency.ts'
import { toAnswer, toProblem } from './problems.ts'
import { contextOf, lazyCookies, lazySignal } from './request.ts'
import type { Call, FindActor, Mount, Run } from './types.ts'
import { parseQuery, queryMembers, validate } from './validate.ts'
import { toDatabaseProblem } from './database-problems.ts'

/** A GET without a response schema answers a file. */
export const isFile = ({ method, endpoint }: Mount): boolean => method === 'get' && !endpoint.response

/**
 * A file for the clinic's staff, which they open with a plain link. Without a session the browser is redirected to the
 * sign-in page.
 */
export const redirectsToLogin = (mount: Mount): boolean =>
  isFile(mount)
  && mount.path.startsWith('/api/v1/')
  && (mount.endpoint.access === 'session' || typeof mount.endpoint.access === 'object')

const DEFAULT_BODY = 1_000_000
/** The limit for an endpoint that is open to everyone: the body is held in memory before the sender is known. */
const STRANGERS_BODY = 65_536

/**
 * The steps of one endpoint from request to answer: authorize → limit → once per key → parse → handle → encode.
 * Everything that can be prepared is prepared here, once.
 */
export function createRun(host: Host, findActor: FindActor, mount: Mount): Run {
  const { module, method, path, endpoint, ctx, problems } = mount
  const { config, log } = host
  const secure = config.base_url.startsWith('https:')
  const authorize = createAuthorize(mount, findActor)
  const gates = createEndpointLimits(host.limits, module ?? 'core', endpoint)
  const parse = createParse(mount)
  const idempotent = createIdempotent(host, mount)
  const max_body = largestBody(endpoint)
  const toLogin = redirectsToLogin(mount)
  const route = `${method} ${path}`
  const work = { module: module ?? 'core', endpoint: `${method.toUpperCase()} ${path}` }
  // The core's own endpoints get the host instead of a module's context.
  const given = ctx ?? host as unknown as Ctx

  return async function run(event, call) {
    const request = toRequest(event, call, config)
    let gate: CallLimits | null = null
    let answer: Answer
    try {
      if (authorize) await authorize(request)
      if (gates) {
        gate = gates(request)
        request.countFailure = gate.countFailure
        await gate.enter()
      }
      const attempt = () => handle(event, call, request)
      answer = await withDeadline(
        () => idempotent ? idempotent({ event, call, request, max_body }, attempt) : attempt(),
        host.commitsWait
      )
    } catch (error) {
      answer = refuse(error, call, request)
    }
    if (gate) {
      await gate.leave(answer.status < 400).catch(error => log.error('http.limit', { request_id: request.id, error }))
      Object.assign(answer.headers, gate.headers())
    }
    return answer
  }

  /** Never throws: a refusal is an answer too. */
  async function handle(event: H3Event, call: Call, request: ModuleRequest): Promise<Answer> {
    try {
      const { query, body } = await parse(event, call)
      const result = await watchHandler(log, work, () =>
        endpoint.handle({ params: call.params, query, body, request }, given))
      if (isReply(result) && result.csv && !call.head) {
        await recordExport(host, request, query as Record<string, unknown> | undefined)
      }
      return encode(endpoint, result, secure)
    } catch (error) {
      return refuse(error, call, request)
    }
  }

  function refuse(error: unknown, call: Call, request: ModuleRequest): Answer {
    if (findPressure(error)) host.troubles.database.note()
    const answer = onError(error, { request, sign_in: toLogin ? signInPage(call) : null, problems, log, route, module })
    if (answer.status === 403) recordDenied(host, { request, error, route, access: endpoint.access })
    return answer
  }
}

/** In bytes. */
const largestBody = ({ access, max_body = access === 'none' ? STRANGERS_BODY : DEFAULT_BODY }: Mount['endpoint']) =>
  max_body

function toRequest(event: H3Event, call: Call, config: Host['config']): ModuleRequest {
  const { request_id, client } = contextOf(event, config)
  const cookies = lazyCookies(event)
  const signal = lazySignal(event)
  return {
    id: request_id,
    head: call.head,
    method: event.method,
    path: call.path,
    params: call.params,
    headers: event.node.req.headers as Record<string, string | undefined>,
    get cookies() { return cookies() },
    get signal() { return signal() },
    client,
    actor: null,
    session: undefined,
    countFailure: async () => {}
  }
}

function createParse({ method, endpoint }: Mount) {
  const { query, body, raw_body, stream_body } = endpoint
  const max_body = largestBody(endpoint)
  const members = queryMembers(query)
  const takesBody = method !== 'get'

  return async function parse(event: H3Event, call: Call) {
    return {
      query: query || call.query ? validate(query, parseQuery(call.query, members)) : undefined,
      body: !takesBody
        ? undefined
        : raw_body
          ? await readRaw(event, { types: raw_body, limit: max_body, stream: stream_body })
          : validate(body, await readJson(event.node.req, max_body))
    }
  }
}

interface Raw { types: readonly string[], limit: number, stream: boolean | undefined }

async function readRaw({ node: { req } }: H3Event, { types, limit, stream }: Raw) {
  const type = (req.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  if (!types.includes(type)) throw problem('unsupported_media_type', { detail: `Send one of ${types.join(', ')}.` })
  return stream ? { type, stream: streamBytes(req, limit) } : { type, bytes: await readBytes(req, limit) }
}

/** The sign-in page, which then continues to the requested page. */
const signInPage = ({ path, query }: Call) => `/login?to=${encodeURIComponent(query ? `${path}?${query}` : path)}`

interface Failure {
  request: ModuleRequest
  /** The address of the sign-in page; null if a redirect is not wanted. */ sign_in: string | null
  problems: ProblemTable
  log: Host['log']
  route: string
  module: string | null
}

/**
 * Problems are answered as they are. Database errors about a malformed id or a lost connection are translated. Every
 * other error is our bug.
 */
function onError(error: unknown, { request, sign_in, problems, log, route, module }: Failure): Answer {
  const known = isProblem(error) ? error : toDatabaseProblem(error, request.params)
  const shown = known ?? toProblem(error)
  const target = shown.code === 'unauthorized' && sign_in ? sign_in : shown.fields.see_other
  if (typeof target === 'string' && (request.method === 'GET' || request.head) && prefersPage(request)) {
    return { status: 303, headers: { location: target }, body: null }
  }
  if (!known) log.error('http.error', { request_id: request.id, route, module, ...describeError(error) })
  const answer = toAnswer(shown, problems, request.id)
  if (known && answer.status >= 500)
    log.warn('http.problem', { request_id: request.id, route, module, problem: known.code, error: known.cause })
  return answer
}

/** True for a person who followed a plain link, false for a program that requests data. */
function prefersPage(request: ModuleRequest): boolean {
  const accept = request.headers.accept ?? ''
  const page = accept.indexOf('text/html')
  const data = accept.indexOf('json')
  return page !== -1 && (data === -1 || page < data)
}
