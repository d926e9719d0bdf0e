import { defineCommand } from 'citty'
import { isProblem } from '@svc/kit'
import { linkForOperator } from '../../server/core/people/factors/enrolment-link.ts'
import { linkTo } from '../../server/core/people/mail/mails.ts'
import { withHost } from '../context.ts'
import { failure } from '../errors.ts'
import { consola, type Result } from '../output.ts'
import { unknownUser } from './unknown.ts'

export default defineCommand({
  meta: {
    name: 'enrolment-link',
    description: 'Print a link with which a user adds a first second factor after the clinic\'s week is over',
    examples: ['svc user enrolment-link ana@clinic.example']
  },
  args: {
    email: { type: 'positional', description: 'Email of the user', required: true },
    json: { type: 'boolean', description: 'Print one JSON document' }
  },
  run: ({ args }): Promise<Result> =>
    withHost(async (host) => {
      const email = args.email.trim().toLowerCase()
      const { id, token } = await linkForOperator(host, email).catch((error: unknown) => {
        if (!isProblem(error)) throw error
        throw error.code === 'not_found'
          ? unknownUser(email)
          : failure('deactivated', `${email} can't sign in.`, 'svc modules doctor')
      })
      const url = linkTo(host.config.base_url, 'enrolment', token)
      consola.info('Give this link to the user, who opens it signed in: it works once, within an hour.')
      return { json: { id, email, url }, text: url }
    })
})
