import { reply } from '@svc/kit'
import { takeResetMail } from '#host/server/core/users/mail-limits.ts'
import { setPasswordByMail } from '#host/server/core/auth/mailed-tokens.ts'
import { sendPasswordReset } from '#host/server/core/users/mails.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { PasswordResetRequest } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'none',
  summary: 'With an email address, mail a link if the account exists. With the mailed token, set a new password.',
  limit: { name: 'password-reset', points: 20, seconds: 3600, by: 'address', counts: 'requests' },
  body: PasswordResetRequest,
  problems: ['mailed_token_not_found', 'too_many_requests'],
  async handle({ body, request }, host) {
    if ('token' in body) {
      const cookie = await setPasswordByMail(host, { purpose: 'password_reset', ...body, client: request.client })
      return reply({ status: 204, cookies: [cookie] })
    }
    await takeResetMail(host, body.email)
    // Not awaited: the time that it takes would show whether the address is known.
    void sendPasswordReset(host, body.email).catch(error =>
      host.log.error('mail.failed', { request_id: request.id, error })
    )
  }
})
