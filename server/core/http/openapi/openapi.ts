import type { ProblemTable, Schema } from '@svc/kit'
import { Problem as ProblemDocument } from '../../../../shared/problem.ts'
import { isFile, redirectsToLogin } from '../pipeline.ts'
import type { Mount } from '../types.ts'
import { acceptsKey } from '../idempotency/idempotency.ts'
import { createSchemas, type JsonSchema, type Schemas } from './openapi-schemas.ts'
import { createNames } from './openapi-names.ts'
import { probes } from './openapi-probes.ts'

type Json = Record<string, unknown>

/** OpenAPI 3.1 from the schemas that validate requests, so that the document describes what the pipeline does. */
export function buildOpenApi(mounts: Mount[], { version, base_url }: { version: string, base_url: string }): Json {
  const schemas = createSchemas()
  const problem = schemas.add('Problem', schemas.convert(ProblemDocument, 'output'))
  const paths: Record<string, Json> = {}
  const securitySchemes: Json = {
    session_cookie: {
      type: 'apiKey',
      in: 'cookie',
      name: 'svc_session',
      description: 'Set by sign-in. Requests that change something need a same-origin Origin or Sec-Fetch-Site.'
    },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      description: 'The access token of sign-in, a token of the clinic (`POST /api/v1/tokens`), or one of `svc token create`.'
    }
  }
  const nameOf = createNames(mounts)
  for (const mount of mounts) {
    const cookie = cookieOf(mount)
    if (cookie) securitySchemes[cookie] = { type: 'apiKey', in: 'cookie', name: cookie }
    const path = mount.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [mount.method]: toOperation(mount, path, { schemas, problem, nameOf }) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Dental budget service',
      version,
      description: 'Errors are problem documents (RFC 9457) with a `code`. Times are UTC.'
    },
    servers: [{ url: base_url }],
    paths: { ...probes, ...paths },
    components: { schemas: schemas.all(), securitySchemes }
  }
}

function cookieOf({ endpoint: { access }, named }: Mount): string | undefined {
  return typeof access === 'function' ? access.cookie : named?.declared.cookie
}

interface Shared { schemas: Schemas, problem: JsonSchema, nameOf: ReturnType<typeof createNames> }

function toOperation(mount: Mount, path: string, shared: Shared): Json {
  const { endpoint } = mount
  const { access } = endpoint
  const { tag, name } = shared.nameOf(mount)
  const needs = typeof access === 'object' ? `Needs the permission \`${access.permission}\`.` : undefined
  const description = [endpoint.summary, needs].filter(Boolean).join(' ')
  return {
    operationId: idOf(mount.method, path),
    tags: [tag],
    summary: name,
    ...(description ? { description } : {}),
    ...(typeof access === 'object' ? { 'x-permission': access.permission } : {}),
    security: securityOf(mount),
    parameters: [
      ...pathParameters(path),
      ...queryParameters(endpoint.query, shared.schemas),
      ...acceptsKey(mount) ? [idempotencyKey] : []
    ],
    ...requestBody(mount, shared.schemas),
    responses: { ...success(mount, shared.schemas), ...refusals(mount, path, shared.problem) }
  }
}

const idOf = (method: string, path: string) =>
  `${method}${path
    .replace(/^\/api\/v1(?=\/)/, '')
    .replace(/[^a-z0-9]+/gi, '_')
    .replace(/_$/, '')}${path.startsWith('/api/v1/') ? '' : '_at_root'}`

function securityOf(mount: Mount): Json[] {
  const { endpoint: { access }, named } = mount
  if (access === 'none') return []
  const cookie = cookieOf(mount)
  if (typeof access === 'function' || named) return cookie ? [{ [cookie]: [] }] : []
  return [{ session_cookie: [] }, { bearer: [] }]
}

const pathParameters = (path: string): Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(match => ({
    name: match[1],
    in: 'path',
    required: true,
    schema: { type: 'string' }
  }))

function queryParameters(query: Schema | undefined, schemas: Schemas): Json[] {
  if (!query) return []
  const { properties = {}, required = [] } = schemas.convert(query, 'input') as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema
  }))
}

/** The same key, address and body within 24 hours get the same answer, and the work is not repeated. */
const idempotencyKey: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Names this request: the same key and body again within 24 hours get the same answer, with `Idempotency-Replayed: true`, and nothing is done. Secrets that are shown once are left out then.',
  schema: { type: 'string', minLength: 1, maxLength: 100 }
}

function requestBody({ endpoint }: Mount, schemas: Schemas): Json {
  if (endpoint.raw_body)
    return { requestBody: { required: true, content: Object.fromEntries(endpoint.raw_body.map(type => [type, {}])) } }
  if (!endpoint.body) return {}
  const schema = schemas.convert(endpoint.body, 'input')
  return {
    requestBody: {
      required: ((schema.required as string[] | undefined) ?? []).length > 0 || 'anyOf' in schema,
      content: { 'application/json': { schema } }
    }
  }
}

function success(mount: Mount, schemas: Schemas): Json {
  const first = usual(mount, schemas)
  const also = { ...redirectsToLogin(mount) ? toLogin : {}, ...mount.endpoint.also }
  const [{ content }] = Object.values(first) as [{ content?: Json }]
  return {
    ...first,
    ...Object.fromEntries(
      Object.entries(also).map(([status, description]) => [
        status,
        { description, ...(Number(status) < 300 && content ? { content } : {}) }
      ])
    )
  }
}

const toLogin = { 303: 'Redirect to the sign-in page, and back afterwards: a browser followed a link without a session.' }

function usual(mount: Mount, schemas: Schemas): Json {
  const { endpoint } = mount
  const { response, query } = endpoint
  if (isFile(mount)) return { [endpoint.status ?? 200]: { description: 'The file.', content: { '*/*': {} } } }
  if (!response) return { [endpoint.status ?? 204]: { description: 'Done.' } }
  const data = withNotice(mount, schemas.convert(response, 'output'))
  const isPaged = data.type === 'array' && Boolean((query as { shape?: Json } | undefined)?.shape?.page_size)
  const paging = isPaged
    ? { total: { type: 'integer' }, page: { type: 'integer' }, page_size: { type: 'integer' } }
    : {}
  const envelope = { type: 'object', properties: { data, ...paging }, required: ['data', ...Object.keys(paging)] }
  return {
    [endpoint.status ?? 200]: { description: 'Success.', content: { 'application/json': { schema: envelope } } }
  }
}

/** A replay leaves out what is shown only once, and says so. */
function withNotice(mount: Mount, data: JsonSchema): JsonSchema {
  const { shown_once } = mount.endpoint
  if (!shown_once || !acceptsKey(mount)) return data
  const notice = {
    type: 'string',
    description: `Only if the answer is a replay by \`Idempotency-Key\`, which leaves out ${shown_once.join(', ')}.`
  }
  const shape = shown_once.reduce((left, name) => withOptional(left, name.split('.')), data as Shape)
  return { ...shape, properties: { notice, ...shape.properties } } as JsonSchema
}

interface Shape { properties?: Record<string, Shape>, required?: string[], anyOf?: Shape[] }

/** Makes the member at that path optional. For a nullable schema, in the variant that has the member. */
function withOptional(shape: Shape, [name, ...inner]: string[]): Shape {
  if (shape.anyOf) return { ...shape, anyOf: shape.anyOf.map(form => withOptional(form, [name!, ...inner])) }
  const member = shape.properties?.[name!]
  if (!member) return shape
  if (inner.length > 0)
    return { ...shape, properties: { ...shape.properties, [name!]: withOptional(member, inner) } }
  return { ...shape, required: (shape.required ?? []).filter(other => other !== name) }
}

/** Every problem that the pipeline can answer for such an endpoint, and those that the endpoint declares. */
function refusals(mount: Mount, path: string, problem: JsonSchema): Json {
  const { endpoint, module, method, problems, named } = mount
  const { access, limit } = endpoint
  const isStaff = access !== 'none' && typeof access !== 'function' && !named
  const codes = [
    ...(access === 'none' || named ? ['too_many_requests'] : []),
    ...(isStaff ? ['unauthorized', 'permission_denied'] : []),
    ...named?.declared.problems ?? [],
    ...(method === 'get' ? [] : ['cross_origin', 'payload_too_large', 'unsupported_media_type']),
    'validation_failed', // an unknown query parameter, on every endpoint
    ...(path.includes('{') ? ['not_found'] : []),
    ...(acceptsKey(mount) ? ['idempotency_running', 'idempotency_mismatch'] : []),
    ...(limit ? ['too_many_requests'] : []),
    ...(module ? ['module_errored'] : []),
    'internal_error', 'database_unavailable', 'database_full', 'database_overloaded',
    ...(method === 'get' ? [] : ['commits_waiting']),
    ...(endpoint.problems ?? [])
  ]
  return byStatus([...new Set(codes)], problems, problem)
}

function byStatus(codes: string[], table: ProblemTable, problem: JsonSchema): Json {
  const groups: Record<string, string[]> = {}
  for (const code of codes) {
    const known = table[code]
    if (known) (groups[known.status] ??= []).push(`\`${code}\`: ${known.detail ?? `${known.title}.`}`)
  }
  return Object.fromEntries(Object.entries(groups).map(([status, lines]) =>
    [status, { description: lines.join('\n\n'), content: { 'application/problem+json': { schema: problem } } }]))
}
