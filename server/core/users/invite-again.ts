import { problem } from '@svc/kit'
import type { Invitation } from '../../../shared/auth.ts'
import type { Services } from '../services.ts'
import { invite } from './invite.ts'
import { takeInvitationMail } from './mail-limits.ts'
import { isProvenMember } from './memberships.ts'
import { getUser } from './users.ts'

/**
 * Until the person has agreed or signed in: this clinic's link of before ends. Throws `not_found`, `wrong_state`,
 * `too_many_requests`.
 */
export async function inviteAgain(
  services: Services,
  { request_id, ...name }: { clinic_id: string, id: string, request_id: string }
): Promise<Invitation> {
  const { id, email, invited, active } = await getUser(services.db, name)
  if (!invited || (await isProvenMember(services.db, { user_id: id, clinic_id: name.clinic_id }))) {
    throw problem('wrong_state', {
      detail: 'This person has a password already. They choose a new one by "Forgot your password?".'
    })
  }
  if (!active) throw problem('wrong_state', { detail: 'This person is shut out. Let them in again first.' })
  const mayMail = await takeInvitationMail(services, { clinic_id: name.clinic_id, email })
  return await invite(services, { user_id: id, clinic_id: name.clinic_id, request_id, mayMail })
}
