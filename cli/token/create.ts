import { defineCommand } from 'citty'
import { createToken, TOKEN_SCOPES } from '../../server/core/people/tokens/create-token.ts'
import { createSecrets } from '../../server/core/secrets.ts'
import { withDatabase } from '../context.ts'
import { usageError } from '../errors.ts'
import type { Result } from '../output.ts'

export default defineCommand({
  meta: {
    name: 'create',
    description: 'Create a bearer token; it is shown once',
    examples: ['svc token create --scope admin --name deploy --expires 90d']
  },
  args: {
    scope: {
      type: 'enum',
      options: [...TOKEN_SCOPES],
      description: 'What it can do: all that an instance administrator can, or read /metrics only',
      required: true
    },
    name: { type: 'string', description: 'What it is for' },
    expires: { type: 'string', description: 'A date, an instant, or a time from now such as 90d or 12h' },
    json: { type: 'boolean', description: 'Print one JSON document' }
  },
  async run({ args }): Promise<Result> {
    const expires_at = args.expires === undefined ? null : toInstant(args.expires, new Date())
    const { id, token } = await withDatabase((database, config) =>
      createToken(
        { db: database.db, secrets: createSecrets(config) },
        { scope: args.scope, name: args.name ?? null, expires_at }
      )
    )
    return { json: { id, token }, text: token }
  }
})

const SECONDS: Record<string, number> = { m: 60, h: 3600, d: 86_400, w: 604_800 }

function toInstant(word: string, now: Date): Date {
  const span = /^(\d{1,5})([mhdw])$/.exec(word)
  const at = span
    ? new Date(now.getTime() + Number(span[1]) * SECONDS[span[2]!]! * 1000)
    : /^\d{4}-\d{2}-\d{2}/.test(word)
      ? new Date(word)
      : null
  if (!at || Number.isNaN(at.getTime()))
    throw usageError(`--expires is no time: "${word}".`, 'such as 2027-01-31, 2027-01-31T12:00:00Z, 90d or 12h')
  if (at <= now) throw usageError(`--expires lies in the past: "${word}".`)
  return at
}
