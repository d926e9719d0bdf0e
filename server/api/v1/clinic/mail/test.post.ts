import { problem, type AuditEntry } from '@svc/kit'
import { recordAudit } from '#host/server/core/audit/record-audit.ts'
import { clinicOf } from '#host/server/core/people/callers.ts'
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
  async handle({ request }, host) {
    const { mail, config: { base_url }, users, log } = host
    const { actor, client } = request
    const clinic_id = clinicOf(request)
    const to = await users.email(clinic_id, actor.user_id)
    if (!to) throw problem('not_found')
    const record = (detail: AuditEntry['detail']) => host.db.transaction(tx => recordAudit(host, tx, {
      clinic_id, actor, client, action: 'mail_tested', target: { kind: 'user', id: actor.user_id }, detail
    }))
    const { via } = await sendTestMail({ mail, base_url }, to).catch(async (error: unknown) => {
      const { message } = describeError(error)
      await record({ sent: false })
      log.warn('mail.test_failed', { request_id: request.id, reason: message })
      throw problem('mail_failed', { detail: `The message could not be sent: ${message}` })
    })
    await record({ sent: true, via })
    return { to, via }
  }
})
