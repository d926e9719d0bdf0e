import { outsideDeadline } from '#host/server/core/db/request-deadline.ts'
import { removeByLink } from '#host/server/core/people/factors/remove-by-link.ts'
import { mailPasswordReset } from '#host/server/core/people/mail/mails.ts'
import { notifyPerson } from '#host/server/core/people/mail/notices.ts'
import { defineCoreEndpoint } from '#host/server/core/http/core-endpoint.ts'
import { FactorRemoval, RemovableFactor } from '#host/shared/contract.ts'

export default defineCoreEndpoint({
  access: 'none',
  summary:
    'Show the new factor that an emailed link is about. With `remove`, remove it, end all sessions of the account and mail a link for a new password.',
  limit: { name: 'factor-removal', points: 60, seconds: 60, by: 'address', counts: 'requests' },
  body: FactorRemoval,
  response: RemovableFactor,
  problems: ['mailed_token_not_found'],
  async handle({ body: { token, remove = false }, request }, host) {
    const { user_id, factor } = await removeByLink(host, { token, remove, client: request.client })
    if (!remove) return factor
    notifyPerson(host, { user_id, what: 'factor_removed', request_id: request.id })
    if (!host.config.oidc?.only) {
      // The person who added the factor knew the password. Not awaited: the answer must not wait for a mail server.
      void outsideDeadline(() => mailPasswordReset(host, { id: user_id })).catch(error =>
        host.log.error('mail.failed', { request_id: request.id, error })
      )
    }
    return factor
  }
})
