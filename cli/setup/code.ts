import { defineCommand } from 'citty'
import { replaceSetupCode } from '../../server/core/setup/make-code.ts'
import { createSecrets } from '../../server/core/secrets.ts'
import { withDatabase } from '../context.ts'
import { CliError, EXIT } from '../errors.ts'
import type { Result } from '../output.ts'

export default defineCommand({
  meta: {
    name: 'code',
    description: 'Make a new set-up code in place of the old one; it is shown once',
    examples: ['svc setup code']
  },
  args: { json: { type: 'boolean', description: 'Print one JSON document' } },
  async run(): Promise<Result> {
    const { code, url } = await withDatabase(async ({ db }, config) => ({
      code: await replaceSetupCode({ db, secrets: createSecrets(config) }),
      url: `${config.base_url}/setup`
    }))
    if (!code) throw refused()
    return { json: { code, url }, text: code }
  }
})

const refused = () =>
  new CliError({
    code: 'set_up_already',
    message: 'There is a clinic already, so nothing is left to set up in the browser.',
    hint: 'svc clinic create',
    exit: EXIT.refused
  })
