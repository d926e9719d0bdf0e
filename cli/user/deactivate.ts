import { defineCommand } from 'citty'
import { isProblem } from '@svc/kit'
import { deactivateAccount } from '../../server/core/people/accounts/deactivate-account.ts'
import { createSecrets } from '../../server/core/secrets.ts'
import { withDatabase } from '../context.ts'
import { consola, type Result } from '../output.ts'
import { unknownUser } from './unknown.ts'

export default defineCommand({
  meta: {
    name: 'deactivate',
    description: 'Deactivate a user: end all sessions and all access to clinics and the instance',
    examples: ['svc user deactivate ana@clinic.example']
  },
  args: {
    email: { type: 'positional', description: 'Email of the user', required: true },
    json: { type: 'boolean', description: 'Print one JSON document' }
  },
  async run({ args }): Promise<Result> {
    const email = args.email.trim().toLowerCase()
    const { id, changed, without_admin } = await withDatabase((database, config) =>
      deactivateAccount({ db: database.db, secrets: createSecrets(config) }, email)
    ).catch((error: unknown) => {
      throw isProblem(error) && error.code === 'not_found' ? unknownUser(email) : error
    })
    for (const clinic of without_admin)
      consola.warn(`${clinic} has no administrator now: svc user create --email … --clinic "${clinic}" --role admin`)
    return {
      json: { id, email, deactivated: changed, without_admin },
      text: changed ? 'Deactivated.' : 'Nothing to do.'
    }
  }
})
