import type { JsonSchema } from './openapi-schemas.ts'

const answer = (description: string, properties: JsonSchema, optional: JsonSchema = {}) => ({
  description,
  content: { 'application/json': { schema: { type: 'object', properties: { ...properties, ...optional }, required: Object.keys(properties) } } }
})

const probe = (operationId: string, summary: string, responses: JsonSchema) =>
  ({ get: { operationId, tags: ['service'], summary, security: [], responses } })

const words = (...names: string[]) => ({ type: 'string', enum: names })
const health = { status: words('healthy', 'unhealthy'), version: { type: 'string' } }
/** `boot_id` names the process once it is ready: another one than before tells that the service has restarted. */
const readiness = { status: words('starting', 'ready', 'draining'), boot_id: { type: ['string', 'null'], format: 'uuid' } }

/** The routes outside /api that the server itself answers. */
export const probes: Record<string, JsonSchema> = {
  '/health': probe('health', 'Whether the service and its database answer.', {
    200: answer('They do.', health),
    503: answer('The database does not answer.', health)
  }),
  '/livez': probe('livez', 'The process is alive, also while it migrates.', { 200: answer('It is.', { status: words('alive') }) }),
  '/readyz': probe('readyz', 'Whether traffic is taken.', { 200: answer('It is.', readiness), 503: answer('Starting or draining.', readiness, { reason: { type: 'string', description: 'What the start waits for.' } }) })
}
