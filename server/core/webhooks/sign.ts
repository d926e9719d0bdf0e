import { createHmac, randomBytes } from 'node:crypto'

/** The purpose with which the secret is sealed in the database. */
export const SECRET_PURPOSE = 'webhook-secret'
const PREFIX = 'whsec_'

/** Standard Webhooks, "Signature scheme": 24 to 64 random bytes, base64. */
export const createSecret = () => PREFIX + randomBytes(32).toString('base64')

interface Message { secret: string, id: string, at: Date, body: string }

/** The three headers of Standard Webhooks. `at` is the attempt's, not the event's: receivers refuse old ones. */
export function sign({ secret, id, at, body }: Message): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
