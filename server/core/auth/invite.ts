import type { Invitation } from '../../../shared/auth.ts'
import type { Services } from '../services.ts'
import { isUnclaimed, issueMailedToken } from './mailed-tokens.ts'
import { linkTo, sendInvitation, type Invited } from './mails.ts'

/**
 * Says how it went. A mail that failed is logged and loses nothing: where none left, the answer has a link of its own to
 * hand over, which is worth no more than a password that the clinic could have chosen. Whether the account is still
 * unclaimed counts when the link is used, and is asked again then.
 */
export async function invite(services: Services, { request_id, ...invited }: Invited & { request_id: string }): Promise<Invitation> {
  const delivered_via = await sendInvitation(services, invited).catch((error: unknown) => {
    services.log.error('mail.failed', { request_id, error })
    return null
  })
  if (delivered_via === 'smtp' || !await isUnclaimed(services, invited.user_id)) return { delivered_via, url: null }
  const token = await issueMailedToken(services, { purpose: 'handed_invitation', user_id: invited.user_id })
  return { delivered_via, url: linkTo(services.config.base_url, 'invitation', token) }
}
