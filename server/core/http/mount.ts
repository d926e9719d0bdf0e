import { isProblem, problem } from '@svc/kit'
import { defineEventHandler, type EventHandler, type H3Event } from 'h3'
import { createFindActor } from '../auth/find-actor.ts'
import { docsEndpoints } from '../endpoints/docs.ts'
import { coreEndpoints } from '../endpoints/index.ts'
import type { BrokenModule, Services } from '../services.ts'
import { refuseCrossOrigin } from './cross-origin.ts'
import type { Answer } from './encode.ts'
import { buildOpenApi } from './openapi.ts'
import { addressesOf, createRun, type CoreEndpoint, type Mount, type Run } from './pipeline.ts'
import { coreProblems, toAnswer, toProblem } from './problems.ts'
import { contextOf } from './request.ts'
import { createRoutes, type Found, type Routes } from './routes.ts'

export interface Api { handler: EventHandler }

const BASE = '/api/v1'

/**
 * Mounts the core's endpoints and those of every running module once, and answers everything below /api, and /me.
 * It never throws at a request: errors become problem+json here.
 */
export function createApi(services: Services): Api {
  const routes = mountAll(services)
  const origin = new URL(services.config.base_url).origin
  const broken = services.registry.broken

  return {
    handler: defineEventHandler(async (event) => {
      const { request_id } = contextOf(event, services.config)
      const url = event.node.req.originalUrl ?? event.node.req.url ?? '/'
      const mark = url.indexOf('?')
      const path = mark === -1 ? url : url.slice(0, mark)
      const answer = await respond(event, path, mark === -1 ? '' : url.slice(mark + 1))
      send(event, answer, { request_id, path })
    })
  }

  async function respond(event: H3Event, path: string, query: string): Promise<Answer> {
    try {
      const found = routes.find(path)
      if (!found) throw problem(belongsToBroken(path, broken) ? 'module_errored' : 'not_found')
      const method = event.method.toLowerCase()
      const head = method === 'head'
      const mounted = found.byMethod.get(head ? 'get' : method)
      if (!mounted) return notAllowed(found, event)
      if (method !== 'get' && !head) refuseCrossOrigin(event.node.req.headers, origin)
      const params = Object.fromEntries(mounted.names.map((name, index) => [name, found.values[index]!]))
      return await mounted.value(event, { params, path, query, head })
    } catch (error) {
      const { request_id } = contextOf(event, services.config)
      if (!isProblem(error)) services.log.error('http.error', { request_id, path, error })
      return toAnswer(toProblem(error), coreProblems, request_id)
    }
  }

  function notAllowed(found: Found<Run>, event: H3Event): Answer {
    const methods = [...found.byMethod.keys()].flatMap(method => method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])
    const { status, headers, body } = toAnswer(problem('method_not_allowed'), coreProblems, contextOf(event, services.config).request_id)
    return { status, headers: { ...headers, allow: methods.join(', ') }, body }
  }
}

/** The core's endpoints, each running module's, and those that describe them all. */
function mountsOf(services: Services): Mount[] {
  const { registry, version, config } = services
  const ofCore = (endpoint: CoreEndpoint): Mount => ({ module: null, endpoint, ctx: null, problems: registry.problems(null) })
  const mounts = [
    ...coreEndpoints(services).map(ofCore),
    ...registry.modules.flatMap(module => (module.definition.endpoints ?? []).map(endpoint =>
      ({ module: module.name, endpoint, ctx: module.ctx, problems: registry.problems(module.name) })))
  ]
  mounts.push(...docsEndpoints(config, () => buildOpenApi(mounts, { version, base_url: config.base_url })).map(ofCore))
  return mounts
}

function mountAll(services: Services): Routes<Run> {
  const routes = createRoutes<Run>()
  const findActor = createFindActor(services)
  for (const mount of mountsOf(services)) {
    const { method } = mount.endpoint
    const run = createRun(services, findActor, mount)
    for (const address of addressesOf(mount.endpoint)) {
      if (!routes.add(method, address, observed(services, { module: mount.module, route: address }, run))) services.log.error('http.route_taken', { module: mount.module, route: `${method} ${address}` })
    }
  }
  for (const endpoint of services.registry.broken.flatMap(module => module.endpoints)) {
    routes.add(endpoint.method, `${BASE}${endpoint.path}`, () => Promise.reject(problem('module_errored')))
  }
  return routes
}

/** By template. What no route takes is not counted by path: anybody can make up paths. */
function observed({ metrics, tracing }: Services, { module, route }: { module: string | null, route: string }, run: Run): Run {
  return async function runObserved(event, call) {
    const start = performance.now()
    const { method } = event
    const traceparent = event.node.req.headers.traceparent as string | undefined
    const work = { kind: 'request' as const, name: `${method} ${route}`, attributes: { 'http.request.method': method, 'http.route': route, 'svc.module': module ?? 'core' }, traceparent }
    const answer = await tracing.run(work, () => run(event, call), ({ status }) => ({ 'http.response.status_code': status }))
    metrics.observe({ method, route, status: answer.status, seconds: (performance.now() - start) / 1000 })
    return answer
  }
}

/** A module whose entry could not be imported has unknown endpoints; its prefix is known. */
function belongsToBroken(path: string, broken: BrokenModule[]): boolean {
  const first = path.slice(BASE.length).replace(/^\/public\//, '/')
  return path.startsWith(`${BASE}/`) && broken.some(({ name }) => first === `/${name}` || first.startsWith(`/${name}/`))
}

const PUBLIC = { 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' }

function send(event: H3Event, { status, headers, body }: Answer, { request_id, path }: { request_id: string, path: string }): void {
  const { res } = event.node
  if (res.writableEnded || res.destroyed) return // the caller has gone
  res.writeHead(status, {
    'x-request-id': request_id,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...(path.startsWith(`${BASE}/public/`) ? PUBLIC : {}),
    ...headers,
    ...(status === 204 || status === 304 ? {} : { 'content-length': body === null ? 0 : Buffer.byteLength(body) })
  })
  res.end(body ?? undefined)
}
