import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApp, toNodeListener } from 'h3'
import { expect } from 'vitest'
import * as z from 'zod'
import { defineModule, page, problem, reply, type Ctx, type Endpoint, type Schema } from '@svc/kit'
import { createApi } from '../../../server/core/http/mount.ts'
import { createFindActor } from '../../../server/core/people/find-actor.ts'
import type { Method, Route } from '../../../server/core/types.ts'
import type { Manifest } from '../../../server/core/manifest.ts'
import { toRegistry } from '../../../server/core/modules/registry.ts'
import type { Answer } from '../caller.ts'
import { anInstance } from '../instance.ts'
import { coreRoutes } from './official.ts'

const Body = z.strictObject({
  'name': z.string(),
  'items': z.array(z.strictObject({ quantity: z.int() })).optional(),
  'a/b~c': z.string().optional()
})

/** What happened to the rows of `/probe/csv/endless`. */
export const csv = { asked: 0, isEnded: false }

async function* endless() {
  try {
    for (;;) {
      csv.asked += 1
      yield Array.from({ length: 500 }, () => ['x'.repeat(200)])
    }
  } finally {
    csv.isEnded = true
  }
}

async function* failing() {
  yield [['first']]
  throw new Error('the database went away')
}

type Placed = { method: Method, path: string }
/** Infers the types of `handle` from its schemas. */
const at = <
  B extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  R extends Schema | undefined = undefined
>(
  endpoint: Endpoint<B, Q, R> & Placed
) => endpoint as Endpoint & Placed

/** A module whose endpoints show how the pipeline handles them. */
const endpoints = [
  at({
    method: 'get',
    path: '/probe/things/:id',
    access: 'none',
    response: z.object({ id: z.string(), at: z.string() }),
    handle: ({ params }) => ({ id: params.id, at: new Date(0), secret: 'never seen' })
  }),
  at({ method: 'post', path: '/probe/things', access: 'none', body: Body, status: 201, handle: ({ body }) => body }),
  at({
    method: 'post',
    path: '/probe/small',
    access: 'none',
    body: z.strictObject({ text: z.string().optional() }),
    max_body: 100,
    handle: () => undefined
  }),
  at({ method: 'post', path: '/probe/nothing', access: 'none', handle: () => undefined }),
  at({
    method: 'get',
    path: '/probe/list',
    access: 'none',
    query: z.strictObject({
      status: z.array(z.enum(['a', 'b'])).optional(),
      search: z.string().optional(),
      page: z.coerce.number().int().min(1).default(1),
      ids: z.array(z.coerce.number().int()).optional()
    }),
    handle: ({ query }) => page(query.status ?? [], { total: 1, page: query.page, page_size: 20 })
  }),
  at({ method: 'get', path: '/probe/bigint', access: 'none', handle: () => ({ amount: 1n }) }),
  at({
    method: 'get',
    path: '/probe/misfit',
    access: 'none',
    response: z.object({ id: z.string() }),
    handle: () => ({ id: 1 })
  }),
  at({
    method: 'get',
    path: '/probe/throws',
    access: 'none',
    handle: () => {
      throw new Error('the password is 12345')
    }
  }),
  at({
    method: 'get',
    path: '/probe/unknown-code',
    access: 'none',
    handle: () => {
      throw problem('no_such_code')
    }
  }),
  at({
    method: 'get',
    path: '/probe/locked',
    access: 'none',
    handle: () => {
      throw problem('probe_locked', { retry_after: 12.2, locked_until: new Date(0), status: 200 })
    }
  }),
  at({
    method: 'get',
    path: '/probe/rows/:id',
    access: 'none',
    handle: async ({ params }, ctx: Ctx) => ctx.db.execute(ctx.pg.sql`select ${params.id}::uuid`)
  }),
  at({
    method: 'get',
    path: '/public/probe/page',
    access: async () => {
      throw problem('probe_ended', { see_other: '/p/probe/1' })
    },
    handle: () => undefined
  }),
  at({
    method: 'get',
    path: '/public/probe/file',
    access: 'none',
    handle: () =>
      reply({
        body: Buffer.from('%PDF'),
        headers: { 'Content-Type': 'application/pdf' },
        cookies: [{ name: 'x', value: 'a b', path: '/api/v1/public/probe', same_site: 'strict' }]
      })
  }),
  at({
    method: 'get',
    path: '/probe/csv/:rows',
    access: 'none',
    handle: ({ params }) =>
      reply({ csv: { name: 'things', columns: ['thing'], batches: params.rows === 'endless' ? endless() : failing() } })
  }),
  at({
    method: 'post',
    path: '/probe/guess',
    access: 'none',
    body: z.strictObject({ right: z.boolean() }),
    limit: { name: 'guess', points: 2, seconds: 60, by: 'address', counts: 'failures' },
    async handle({ body, request }) {
      if (!body.right) await request.countFailure()
      return body
    }
  }),
  at({
    method: 'get',
    path: '/probe/file/:token',
    access: async () => ({}),
    query: z.strictObject({ found: z.string().optional() }),
    limit: { name: 'file', points: 2, seconds: 60, by: 'address+param', param: 'token', counts: 'successes' },
    handle({ query }) {
      if (query.found === 'no') throw problem('not_found')
      return reply({ body: 'bytes' })
    }
  })
]
const routes: Route[] = endpoints.map(({ method, path, ...endpoint }) => ({
  module: 'probe',
  method,
  path: `/api/v1${path}`,
  load: async () => ({ default: endpoint })
}))
const module = defineModule({
  problems: { probe_locked: { status: 423, title: 'Locked' }, probe_ended: { status: 401, title: 'Ended' } }
})
const manifest = {
  name: 'probe',
  category: 'community',
  depends: [],
  permissions: [],
  role_permissions: {},
  navigation: []
} as unknown as Manifest

export interface Probe {
  url: string
  /** The instance's own base URL, which is another. */ base_url: string
  port: number
  close(): Promise<void>
}

/** The real pipeline with a real database, and the module above instead of the official ones. */
export async function aProbe(): Promise<Probe> {
  const instance = await anInstance()
  const running = {
    name: 'probe',
    version: '1.0.0',
    manifest,
    definition: module,
    routes,
    ctx: instance.runtime.host.registry.modules[0]!.ctx
  }
  const broken = { name: 'broken', reason: 'threw', routes: [], subscribes: [], guards: [], clauses: [] }
  const registry = toRegistry([running], [broken])
  const host = { ...instance.runtime.host, registry }
  const server = createServer(
    toNodeListener(createApp().use(createApi(host, createFindActor(host), coreRoutes).handler))
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    base_url: instance.url,
    port,
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      await instance.close()
    }
  }
}

/** The members of every problem. */
export function expectProblem({ status, headers, body }: Answer, code: string) {
  expect(headers.get('content-type')).toBe('application/problem+json')
  expect(body).toMatchObject({
    type: `urn:svc:problem:${code}`,
    title: expect.any(String),
    status,
    detail: expect.any(String),
    code,
    request_id: headers.get('x-request-id')
  })
}
