import { defineCommand } from 'citty'
import { createClinic } from '../../server/core/clinics/create-clinic.ts'
import { createSecrets } from '../../server/core/secrets.ts'
import { withDatabase } from '../context.ts'
import type { Result } from '../output.ts'

export default defineCommand({
  meta: {
    name: 'create',
    description: 'Create a clinic',
    examples: ['svc clinic create --name "Clínica Sol" --currency EUR --time-zone Europe/Madrid --locale es']
  },
  args: {
    'name': { type: 'string', description: 'Name, as patients read it', required: true },
    'currency': { type: 'string', description: 'ISO 4217, such as EUR', required: true },
    'time-zone': { type: 'string', description: 'IANA name, such as Europe/Madrid', required: true },
    'locale': { type: 'string', description: 'Language, such as es', required: true },
    'json': { type: 'boolean', description: 'Print one JSON document' }
  },
  async run({ args }): Promise<Result> {
    const { id } = await withDatabase((database, config) =>
      createClinic({ db: database.db, secrets: createSecrets(config) }, {
        name: args.name,
        currency: args.currency,
        time_zone: args['time-zone'],
        locale: args.locale as 'en'
      })
    )
    return { json: { id, name: args.name }, text: id }
  }
})
