import { defineCommand } from 'citty'
import { createUser, type CreateUser } from '../../server/core/people/accounts/create-user.ts'
import { createSecrets } from '../../server/core/secrets.ts'
import { withDatabase } from '../context.ts'
import { usageError } from '../errors.ts'
import { findClinic } from '../find-clinic.ts'
import type { Result } from '../output.ts'
import { readPassword } from './password.ts'

export default defineCommand({
  meta: {
    name: 'create',
    description: 'Create a user; the password is read from standard input',
    examples: [
      'svc user create --email ana@clinic.example --clinic "Clínica Sol" --role admin < password-file'
    ]
  },
  args: {
    'email': { type: 'string', description: 'Email address to sign in with', required: true },
    'clinic': { type: 'string', description: 'Id or name of the clinic' },
    'role': { type: 'string', description: 'admin, dentist, hygienist, assistant or receptionist' },
    'first-name': { type: 'string' },
    'last-name': { type: 'string' },
    'locale': { type: 'string', description: 'Language of their screens, such as es (default: the browser\'s)' },
    'instance-admin': { type: 'boolean', description: 'May install modules and restart the instance' },
    'json': { type: 'boolean', description: 'Print one JSON document' }
  },
  async run({ args }): Promise<Result> {
    if (!args.clinic && !args['instance-admin']) throw usageError('Missing required argument: --clinic')
    if (args.clinic && !args.role) throw usageError('Missing required argument: --role')
    const password = await readPassword()
    const user = await withDatabase(async (database, config) => {
      const clinic_id = args.clinic ? await findClinic(database.connect({ name: 'cli' }), args.clinic) : null
      return createUser({ db: database.db, secrets: createSecrets(config) }, {
        email: args.email,
        password,
        clinic_id,
        role: (args.role ?? null) as CreateUser['role'],
        instance_admin: args['instance-admin'] ?? false,
        ...args['first-name'] ? { first_name: args['first-name'] } : {},
        ...args.locale ? { locale: args.locale as CreateUser['locale'] } : {},
        ...args['last-name'] ? { last_name: args['last-name'] } : {}
      }, { by: 'operator' })
    })
    return { json: { id: user.id, email: args.email, created: user.created }, text: user.id }
  }
})
