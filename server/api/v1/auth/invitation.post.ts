import { reply } from '@svc/kit'
import { setPasswordByMail } from '#host/server/core/people/mail/mailed-tokens.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { SetPasswordRequest } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'none',
  summary: 'Accept an invitation with its token and a new password.',
  body: SetPasswordRequest,
  problems: ['mailed_token_not_found', 'account_known'],
  async handle({ body, request: { client } }, host) {
    const { device } = await setPasswordByMail(host, { purpose: 'invitation', ...body, client })
    return reply({ status: 204, cookies: [device] })
  }
})
