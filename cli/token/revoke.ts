import { defineCommand } from 'citty'
import { revokeToken } from '../../server/core/people/tokens/revoke-token.ts'
import { createSecrets } from '../../server/core/secrets.ts'
import { withDatabase } from '../context.ts'
import { CliError, EXIT } from '../errors.ts'
import type { Result } from '../output.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export default defineCommand({
  meta: {
    name: 'revoke',
    description: 'Revoke a bearer token',
    examples: ['svc token revoke 0197c6a0-0000-7000-8000-000000000001']
  },
  args: {
    id: { type: 'positional', description: 'Its id, as `token create --json` gave it', required: true },
    json: { type: 'boolean', description: 'Print one JSON document' }
  },
  async run({ args }): Promise<Result> {
    const known = UUID.test(args.id)
    if (!known) throw unknownToken(args.id)
    return withDatabase(async (database, config) => {
      const revoked = await revokeToken({ db: database.db, secrets: createSecrets(config) }, args.id)
      if (
        !revoked
        && (await database.connect({ name: 'cli' })`select 1 from core_token where id = ${args.id}`).length === 0
      )
        throw unknownToken(args.id)
      return { json: { id: args.id, revoked }, text: revoked ? 'Revoked.' : 'Nothing to do.' }
    })
  }
})

const unknownToken = (id: string) =>
  new CliError({ code: 'unknown_token', message: `There is no token with the id "${id}".`, exit: EXIT.usage })
