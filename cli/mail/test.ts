import { defineCommand } from 'citty'
import { createLog } from '../../server/core/log.ts'
import { createMail } from '../../server/core/mail/mail.ts'
import { sendTestMail } from '../../server/core/mail/send-test-mail.ts'
import { Email } from '../../shared/common.ts'
import { configuration } from '../context.ts'
import { failure, usageError } from '../errors.ts'
import { hostPackages, type Result } from '../output.ts'

/** Needs no database. */
export default defineCommand({
  meta: {
    name: 'test',
    description: 'Send a test message with the settings of this instance',
    examples: ['svc mail test you@clinic.example']
  },
  args: {
    address: { type: 'positional', description: 'Where to', required: true },
    json: { type: 'boolean', description: 'Print one JSON document' }
  },
  async run({ args }): Promise<Result> {
    const to = Email.safeParse(args.address).data
    if (!to) throw usageError(`"${args.address}" isn't an email address.`)
    hostPackages() // an open connection to the mail server doesn't keep the command running
    const config = { ...configuration(), log_level: 'silent' as const }
    const mail = createMail(config, createLog(config), async () => new Date())
    const { via, id } = await sendTestMail({ mail, base_url: config.base_url }, to).catch((error: Error) => {
      throw failure(
        'mail_failed',
        `The message could not be sent: ${error.message}`,
        'check SVC_SMTP_URL and SVC_MAIL_FROM'
      )
    })
    const text
      = via === 'smtp'
        ? `Sent to ${to} from ${config.mail_from}.`
        : `No SMTP server is configured (SVC_SMTP_URL): the message was written to ${config.storage}/outbox.`
    return { json: { to, via, message_id: id }, text }
  }
})
