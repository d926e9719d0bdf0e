import { problem } from '@svc/kit'
import { clinicOf } from '#host/server/core/http/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { describeError } from '#host/server/core/log.ts'
import { sendTestMail } from '#host/server/core/mail/send-test-mail.ts'
import { TestMail } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: { permission: 'clinic.manage' },
  summary: 'Send a test message to the caller\'s own address, with the settings of this instance.',
  limit: {
    name: 'test-mail',
    points: 10,
    seconds: 3600,
    by: request => request.actor?.user_id ?? '',
    counts: 'requests'
  },
  response: TestMail,
  problems: ['mail_failed', 'too_many_requests'],
  async handle({ request }, { mail, config: { base_url }, users, log }) {
    const to = await users.email(clinicOf(request), request.actor.user_id)
    if (!to) throw problem('not_found')
    const { via } = await sendTestMail({ mail, base_url }, to).catch((error: unknown) => {
      const { message } = describeError(error)
      log.warn('mail.test_failed', { request_id: request.id, reason: message })
      throw problem('mail_failed', { detail: `The message could not be sent: ${message}` })
    })
    return { to, via }
  }
})
