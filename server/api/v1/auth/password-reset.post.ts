import { reply } from '@svc/kit'
import { takeResetMail } from '#host/server/core/people/mail/mail-limits.ts'
import { setPasswordByMail } from '#host/server/core/people/mail/mailed-tokens.ts'
import { outsideDeadline } from '#host/server/core/db/request-deadline.ts'
import { notifyPerson } from '#host/server/core/people/mail/notices.ts'
import { sendPasswordReset } from '#host/server/core/people/mail/mails.ts'
import { assertPasswordsAllowed } from '#host/server/core/people/provider/provider.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { PasswordResetRequest } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'none',
  summary: 'With an email address, mail a link if the account exists. With the mailed token, set a new password; `remove_factors` also removes all second factors.',
  limit: { name: 'password-reset', points: 20, seconds: 3600, by: 'address', counts: 'requests' },
  body: PasswordResetRequest,
  problems: ['mailed_token_not_found', 'too_many_requests', 'password_sign_in_off'],
  async handle({ body, request }, host) {
    assertPasswordsAllowed(host.config)
    if ('token' in body) {
      const { client } = request
      const { user_id, removed, device } = await setPasswordByMail(host, { purpose: 'password_reset', ...body, client })
      notifyPerson(host, { user_id, what: 'password_changed', request_id: request.id })
      if (removed) notifyPerson(host, { user_id, what: 'factor_removed', request_id: request.id })
      return reply({ status: 204, cookies: [device] })
    }
    await takeResetMail(host, body.email)
    // Not awaited: the time that it takes would show whether the address is known.
    void outsideDeadline(() => sendPasswordReset(host, body.email)).catch(error =>
      host.log.error('mail.failed', { request_id: request.id, error })
    )
  }
})
