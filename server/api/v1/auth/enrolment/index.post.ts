import { sendEnrolmentLink } from '#host/server/core/people/mail/mails.ts'
import { takeEnrolmentMail } from '#host/server/core/people/mail/mail-limits.ts'
import { personOf } from '#host/server/core/people/callers.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { EnrolmentMail } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'session',
  before_factor: true,
  summary: 'Mail yourself a link that lets you add a first second factor after the clinic\'s week is over.',
  response: EnrolmentMail,
  problems: ['too_many_requests', 'mail_failed'],
  async handle({ request }, host) {
    const { user_id } = personOf(request)
    await takeEnrolmentMail(host, user_id)
    return { delivered_via: await sendEnrolmentLink(host, user_id) }
  }
})
