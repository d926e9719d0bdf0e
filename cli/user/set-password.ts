import { defineCommand } from 'citty'
import { isProblem } from '@svc/kit'
import { Password } from '../../shared/auth.ts'
import { mailNotice } from '../../server/core/people/mail/notices.ts'
import { setPassword } from '../../server/core/people/passwords/set-password.ts'
import { withHost } from '../context.ts'
import { failure } from '../errors.ts'
import { consola, type Result } from '../output.ts'
import { readPassword } from './password.ts'
import { unknownUser } from './unknown.ts'

export default defineCommand({
  meta: {
    name: 'password',
    description: 'Set the password of a user, read from standard input; their sessions end',
    examples: ['svc user password ana@clinic.example < password-file']
  },
  args: {
    email: { type: 'positional', description: 'Email of the user', required: true },
    json: { type: 'boolean', description: 'Print one JSON document' }
  },
  async run({ args }): Promise<Result> {
    const email = args.email.trim().toLowerCase()
    const password = await readPassword()
    const { error } = Password.safeParse(password)
    if (error) throw failure('validation_failed', error.issues[0]!.message)
    return await withHost(async (host) => {
      const id = await setPassword(host, { email, password }).catch((thrown: unknown) => {
        if (!isProblem(thrown)) throw thrown
        if (thrown.code === 'not_found') throw unknownUser(email)
        if (thrown.code === 'wrong_state')
          throw failure(
            'deactivated',
            `Nobody can sign in to ${email}: the account is deactivated, or was changed in the database.`,
            `svc user create --email ${email} --clinic <clinic> --role <role>`
          )
        throw thrown
      })
      await mailNotice(host, { user_id: id, what: 'password_changed' }).catch((thrown: Error) =>
        consola.warn(`The email to the user was not sent: ${thrown.message}`))
      if (host.config.oidc?.only)
        consola.info('Passwords are not taken while SVC_OIDC_ONLY is set: restart without it to sign in with one.')
      return { json: { id, email }, text: 'The password was set.' }
    })
  }
})
