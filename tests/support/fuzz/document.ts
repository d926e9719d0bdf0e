import * as z from 'zod'
import type { Answer } from '../caller.ts'
import type { JsonSchema } from '../json-schema.ts'

export interface Parameter { name: string, in: 'path' | 'query', schema: JsonSchema }
type Content = Record<string, { schema?: JsonSchema }>
export interface Operation {
  security: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}
export interface Route { method: string, path: string, operation: Operation }

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, JsonSchema> }
}

export const routesOf = ({ paths }: OpenApi): Route[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation }))
  )

/** What the OpenAPI document does not allow in an answer, in one sentence, or null. */
/** Default messages of the validation library, which people should not see. */
const FOREIGN = /^(?:Invalid |Too (?:big|small)|Unrecognized )|: expected /
const isSentence = (text: string) => /^[A-Z].*[.?!]$/s.test(text) && !FOREIGN.test(text)

function findOddMessage(body: Answer['body']): string | undefined {
  const errors = (body as { errors?: { message: string }[] } | null)?.errors ?? []
  return errors.map(({ message }) => message).find(message => !isSentence(message))
}

export function createFaultFinder(document: OpenApi) {
  const parsers = new Map<unknown, z.ZodType>()

  function parserOf(schema: JsonSchema): z.ZodType {
    let parser = parsers.get(schema)
    if (!parser) {
      const text = JSON.stringify({ ...schema, $defs: document.components.schemas }).replaceAll(
        '"#/components/schemas/',
        '"#/$defs/'
      )
      parser = z.fromJSONSchema(JSON.parse(text) as Parameters<typeof z.fromJSONSchema>[0])
      parsers.set(schema, parser)
    }
    return parser
  }

  return function findFault({ operation }: Route, { status, headers, body, bytes }: Answer): string | null {
    const type = (headers.get('content-type') ?? '').split(';')[0]!
    if (status >= 500) return `answers ${status}`
    if (!headers.get('x-request-id')) return 'names no request'
    if (headers.get('x-content-type-options') !== 'nosniff') return 'lets the type be guessed'
    if (!headers.get('cache-control')) return 'says nothing about caches'
    const listed = operation.responses[status]
    if (!listed) return `answers ${status} ${body?.code ?? ''}, which the document does not list`
    if (bytes.length === 0) return listed.content && status < 300 ? 'has no body, where the document has one' : null
    if (!listed.content) return 'has a body, where the document has none'
    if (status >= 400 && type !== 'application/problem+json') return `is a refusal of type ${type}`
    const odd = findOddMessage(body)
    if (odd) return `says no sentence of ours: ${odd}`
    const described = listed.content[type] ?? listed.content['*/*']
    if (!described) return `has the type ${type}, which the document does not list`
    if (!described.schema) return null
    const parsed = parserOf(described.schema).safeParse(body)
    if (parsed.success) return null
    const [issue] = parsed.error.issues
    return `does not fit its schema: /${issue!.path.join('/')} ${issue!.message}`
  }
}
