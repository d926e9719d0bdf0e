import { defineCommand } from 'citty'
import { issueMailedToken } from '../../server/core/people/mail/mailed-tokens.ts'
import { linkTo, mailPasswordReset } from '../../server/core/people/mail/mails.ts'
import { withHost } from '../context.ts'
import { failure } from '../errors.ts'
import { consola, type Result } from '../output.ts'
import { unknownUser } from './unknown.ts'

export default defineCommand({
  meta: {
    name: 'reset-password',
    description: 'Mail a link that sets a new password; without SMTP print it, once',
    examples: ['svc user reset-password ana@clinic.example']
  },
  args: {
    email: { type: 'positional', description: 'Email of the user', required: true },
    json: { type: 'boolean', description: 'Print one JSON document' }
  },
  run: ({ args }): Promise<Result> =>
    withHost(async (host) => {
      const email = args.email.trim().toLowerCase()
      const [user] = await host.database.sql<
        { id: string, deactivated: boolean }[]
      >`select id::text, deactivated_at is not null as deactivated from core_user where email = ${email}`
      if (!user) throw unknownUser(email)
      if (user.deactivated)
        throw failure(
          'deactivated',
          `${email} is deactivated.`,
          `svc user create --email ${email} --clinic <clinic> --role <role>`
        )
      if (host.config.smtp_url) {
        await mailPasswordReset(host, { id: user.id }).catch((error: Error) => {
          throw failure('mail_failed', `The mail could not be sent: ${error.message}`, 'svc mail test <address>')
        })
        return { json: { id: user.id, email, sent: true, url: null }, text: `Sent to ${email}.` }
      }
      const token = await issueMailedToken(host, { purpose: 'password_reset', user_id: user.id })
      const url = linkTo(host.config.base_url, 'password_reset', token)
      consola.info('No SMTP server is configured. Give this link to the user: it works once, within an hour.')
      return { json: { id: user.id, email, sent: false, url }, text: url }
    })
})
