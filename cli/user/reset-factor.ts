import { defineCommand } from 'citty'
import { isProblem } from '@svc/kit'
import { resetFactor } from '../../server/core/people/factors/reset-factor.ts'
import { mailNotice } from '../../server/core/people/mail/notices.ts'
import { withHost } from '../context.ts'
import { consola, type Result } from '../output.ts'
import { unknownUser } from './unknown.ts'

export default defineCommand({
  meta: {
    name: 'reset-factor',
    description: 'Remove the second factors of a user who lost them; their sessions end',
    examples: ['svc user reset-factor ana@clinic.example']
  },
  args: {
    email: { type: 'positional', description: 'Email of the user', required: true },
    json: { type: 'boolean', description: 'Print one JSON document' }
  },
  run: ({ args }): Promise<Result> =>
    withHost(async (host) => {
      const email = args.email.trim().toLowerCase()
      const { id, changed } = await resetFactor(host, email).catch((error: unknown) => {
        throw isProblem(error) && error.code === 'not_found' ? unknownUser(email) : error
      })
      if (changed)
        await mailNotice(host, { user_id: id, what: 'factor_removed' }).catch((error: Error) =>
          consola.warn(`The email to the user was not sent: ${error.message}`))
      return { json: { id, email, reset: changed }, text: changed ? 'Reset.' : 'Nothing to do.' }
    })
})
