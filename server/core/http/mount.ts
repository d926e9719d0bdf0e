import { pipeline } from 'node:stream/promises'
import { isProblem, problem, type Endpoint } from '@svc/kit'
import { defineEventHandler, type EventHandler, type H3Event } from 'h3'
import type { BrokenModule, Host } from '../host.ts'
import { refuseCrossOrigin } from './cross-origin.ts'
import { isWhole, type Answer } from './encode.ts'
import { createMatcher, type Matched } from './match.ts'
import { findAccess, isNamedAccess } from './named-access.ts'
import { buildOpenApi } from './openapi/openapi.ts'
import { createRun } from './pipeline.ts'
import { coreProblems, toAnswer, toProblem } from './problems.ts'
import { contextOf } from './request.ts'
import type { Route } from '../types.ts'
import { endpointOf } from './scan.ts'
import type { FindActor, Mount, Run } from './types.ts'

export interface Api {
  /**
   * Called by the kit's handlers, through `context.svc_host`: the framework has matched the request's file by its path.
   */
  respond (event: H3Event, endpoint: Endpoint): Promise<void>
  /** For requests that no file route matches: endpoints of community modules, 404 and 405. */
  handler: EventHandler
}

const BASE = '/api/v1'

/** A route of the core, or of a module that is running or broken. */
interface Mounted extends Route {
  isBroken: boolean
  /** Created with the first request. */
  run: Run | null
}

/**
 * Answers everything below /api, and /me, for the core and every running module. It never throws: errors become
 * problem+json here.
 */
export function createApi(host: Host, findActor: FindActor, coreRoutes: Route[]): Api {
  const { config, registry, log } = host
  const mounted = mountAll(host, coreRoutes)
  const matcher = createMatcher(mounted, ({ module, method, path, isBroken }) => {
    if (!isBroken) log.error('http.route_taken', { module, route: `${method} ${path}` })
  })
  const origin = new URL(config.base_url).origin
  host.describeApi = describeOnce(host, mounted)

  return {
    // Nitro has matched the decoded path. It names the route after the file.
    respond: (event, endpoint) => answer(event, (method, path) => {
      const name = (event.context.matchedRoute as { path: string } | undefined)?.path
      return matcher.named(method, name, path)
    }, endpoint),
    handler: defineEventHandler(event => answer(event, matcher.find))
  }

  async function answer(
    event: H3Event,
    find: (method: string, path: string) => Matched<Mounted> | null,
    endpoint?: Endpoint
  ): Promise<void> {
    const { request_id } = contextOf(event, config)
    const url = event.node.req.originalUrl ?? event.node.req.url ?? '/'
    const mark = url.indexOf('?')
    const path = mark === -1 ? url : url.slice(0, mark)
    const query = mark === -1 ? '' : url.slice(mark + 1)
    const head = event.method === 'HEAD'
    const method = head ? 'get' : event.method.toLowerCase()
    let result: Answer
    try {
      const found = find(method, path)
      if (!found) {
        result = notFound(path, request_id)
      } else {
        const { route, params } = found
        if (route.isBroken) throw problem('module_errored')
        if (method !== 'get') refuseCrossOrigin(event.node.req.headers, origin)
        route.run ??= observed(
          host,
          route,
          createRun(host, findActor, await toMount(host, route, endpoint))
        )
        result = await route.run(event, { params, path, query, head })
      }
    } catch (error) {
      if (!isProblem(error)) log.error('http.error', { request_id, path, error })
      result = toAnswer(toProblem(error), coreProblems, request_id)
    }
    await send(event, result, { request_id, path, log })
  }

  /** 405 if the path exists with another method. */
  function notFound(path: string, request_id: string): Answer {
    const methods = matcher.methods(path)
    if (methods.length === 0)
      return toAnswer(
        problem(belongsToBroken(path, registry.broken) ? 'module_errored' : 'not_found'),
        coreProblems,
        request_id
      )
    const { status, headers, body } = toAnswer(problem('method_not_allowed'), coreProblems, request_id)
    const allow = methods.flatMap(method => method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]).join(', ')
    return { status, headers: { ...headers, allow }, body }
  }
}

const mountAll = ({ registry }: Host, coreRoutes: Route[]): Mounted[] => [
  ...coreRoutes.map(route => ({ ...route, isBroken: false, run: null })),
  ...registry.modules.flatMap(({ routes }) => routes.map(route => ({ ...route, isBroken: false, run: null }))),
  ...registry.broken.flatMap(({ routes }) => routes.map(route => ({ ...route, isBroken: true, run: null })))
]

async function toMount(
  { registry }: Host,
  route: Mounted,
  given = undefined as Endpoint | undefined
): Promise<Mount> {
  const { module, method, path } = route
  const endpoint = given ?? endpointOf((await route.load()).default)!
  const named = isNamedAccess(endpoint.access) ? findAccess(registry, endpoint.access) : null
  return {
    module,
    method,
    path,
    endpoint: withSchemas(endpoint, registry),
    ctx: module === null ? null : registry.get(module)!.ctx,
    named,
    problems: named ? { ...named.problems, ...registry.problems(module) } : registry.problems(module)
  }
}

const withSchemas = (endpoint: Mount['endpoint'], registry: Host['registry']): Mount['endpoint'] =>
  endpoint.schemas ? { ...endpoint, ...endpoint.schemas(registry) } : endpoint

/** The OpenAPI document as text, built with the first request. */
function describeOnce(host: Host, mounted: Mounted[]): () => Promise<string> {
  const { version, config } = host
  let document: Promise<string> | undefined
  async function describe() {
    const mounts = await Promise.all(mounted.filter(({ isBroken }) => !isBroken).map(route => toMount(host, route)))
    return JSON.stringify(buildOpenApi(mounts, { version, base_url: config.base_url }))
  }
  return () => document ??= describe()
}

/**
 * Measures requests by their route's template. Requests without a route are not counted by path, because anyone can
 * invent paths.
 */
function observed({ metrics, tracing }: Host, { module, path: route }: Route, run: Run): Run {
  return async function runObserved(event, call) {
    const start = performance.now()
    const { method } = event
    const traceparent = event.node.req.headers.traceparent as string | undefined
    const work = {
      kind: 'request' as const,
      name: `${method} ${route}`,
      attributes: { 'http.request.method': method, 'http.route': route, 'svc.module': module ?? 'core' },
      traceparent
    }
    const answer = await tracing.run(
      work,
      () => run(event, call),
      ({ status }) => ({ 'http.response.status_code': status })
    )
    metrics.observe({ method, route, status: answer.status, seconds: (performance.now() - start) / 1000 })
    return answer
  }
}

/** The endpoints of a module whose entry could not be imported are unknown, but its prefix is known. */
function belongsToBroken(path: string, broken: BrokenModule[]): boolean {
  const first = path.slice(BASE.length).replace(/^\/public\//, '/')
  return path.startsWith(`${BASE}/`) && broken.some(({ name }) => first === `/${name}` || first.startsWith(`/${name}/`))
}

const PUBLIC = { 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' }

async function send(
  event: H3Event,
  { status, headers, body }: Answer,
  { request_id, path, log }: { request_id: string, path: string, log: Host['log'] }
): Promise<void> {
  const { res } = event.node
  if (res.writableEnded || res.destroyed) return // the client has disconnected
  res.writeHead(status, {
    'x-request-id': request_id,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...(path.startsWith(`${BASE}/public/`) ? PUBLIC : {}),
    ...headers,
    ...(isWhole(body) && status !== 204 && status !== 304
      ? { 'content-length': body === null ? 0 : Buffer.byteLength(body) }
      : {})
  })
  if (isWhole(body)) return void res.end(body ?? undefined)
  if (event.method === 'HEAD') return void res.end()
  try {
    await pipeline(body, res)
  } catch (error) {
    // The headers have been sent, so breaking off the connection is the only way to report the error.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE')
      log.error('http.stream', { request_id, path, error })
  }
}
