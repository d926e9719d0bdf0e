import { problem } from '@svc/kit'
import type { Invitation } from '../../../../shared/auth.ts'
import type { Host } from '../../host.ts'
import { invite } from './invite.ts'
import { takeInvitationMail } from './mail-limits.ts'
import { isProvenMember } from '../accounts/memberships.ts'
import { getUser } from '../accounts/users.ts'

/**
 * Possible until the person has agreed or signed in: this clinic's previous link ends. Throws `not_found`,
 * `wrong_state` or `too_many_requests`.
 */
export async function inviteAgain(
  host: Host,
  { request_id, ...name }: { clinic_id: string, id: string, request_id: string }
): Promise<Invitation> {
  const { id, email, invited, active } = await getUser(host.db, name)
  if (!invited || (await isProvenMember(host.db, { user_id: id, clinic_id: name.clinic_id }))) {
    throw problem('wrong_state', {
      detail: 'This person already has a password. They can choose a new one with "Forgot your password?".'
    })
  }
  if (!active) throw problem('wrong_state', { detail: 'This person is deactivated. Activate them first.' })
  const mayMail = await takeInvitationMail(host, { clinic_id: name.clinic_id, email })
  return await invite(host, { user_id: id, clinic_id: name.clinic_id, request_id, mayMail })
}
