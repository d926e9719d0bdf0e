import { CHECKS } from '../../check-names.ts'
import type { JsonSchema } from './openapi-schemas.ts'

const shape = (properties: JsonSchema, optional: JsonSchema = {}) =>
  ({ type: 'object', properties: { ...properties, ...optional }, required: Object.keys(properties) })
const answers = (description: string, schema: JsonSchema) => ({
  description,
  content: { 'application/json': { schema } }
})
const answer = (description: string, properties: JsonSchema, optional?: JsonSchema) =>
  answers(description, shape(properties, optional))

const probe = (operationId: string, description: string, responses: JsonSchema) =>
  ({ get: { operationId, tags: ['Service'], summary: `Get ${operationId}`, description, security: [], responses } })

const words = (...names: string[]) => ({ type: 'string', enum: names })
const version = { type: 'string' }
/** `seconds`: since a worker last looked for a job, or how long the oldest job has waited. */
const check = shape({ status: words('ok', 'failing'), seconds: { type: 'integer' } })
const checks = shape(Object.fromEntries(CHECKS.map(name => [name, check])))
const healthy = shape({ status: words('healthy'), version })
const degraded = shape({ status: words('degraded'), version, checks })
/** `boot_id` names the process once it is ready: a different one means that the service has restarted. */
const readiness = {
  status: words('starting', 'ready', 'draining'),
  boot_id: { type: ['string', 'null'], format: 'uuid' }
}

/** The routes outside /api that the server itself answers. */
export const probes: Record<string, JsonSchema> = {
  '/health': probe('health', 'Whether the service and its database answer, and jobs run.', {
    200: answers('The database answers. Degraded: jobs cannot run, or commits wait for a standby.', {
      oneOf: [healthy, degraded]
    }),
    503: answer('The database does not answer.', { status: words('unhealthy'), version })
  }),
  '/livez': probe('livez', 'The process is alive, also while it migrates.', {
    200: answer('It is.', { status: words('alive') })
  }),
  '/readyz': probe('readyz', 'Whether the instance accepts traffic.', {
    200: answer('It is.', readiness),
    503: answer('Starting or draining.', readiness, {
      reason: { type: 'string', description: 'What the start waits for.' }
    })
  })
}
