import type * as z from 'zod'
import type { NewUser } from '../../../../shared/contract.ts'
import { outsideDeadline } from '../../db/request-deadline.ts'
import type { Host } from '../../host.ts'
import type { By } from './record-account.ts'
import { createUser } from './create-user.ts'
import { invite } from '../mail/invite.ts'
import { takeInvitationMail } from '../mail/mail-limits.ts'
import { getUser } from './users.ts'

/** Gives the same answer for known and unknown addresses, in the same time. */
export async function addUser(
  host: Host,
  input: z.infer<typeof NewUser> & { clinic_id: string },
  { id: request_id, ...who }: By & { id: string }
) {
  const { clinic_id, email } = input
  const mayMail = await takeInvitationMail(host, { clinic_id, email })
  const { id, created } = await createUser(host, input, { by: 'clinic', who })
  const user = await getUser(host.db, { clinic_id, id })
  const invited = { user_id: id, clinic_id, request_id, mayMail }
  if (input.password === undefined) return { ...user, invitation: await invite(host, invited) }
  // A new person gets the password from the clinic. Not awaited: the time for a mail would show that the address is
  // known.
  if (!created) {
    void outsideDeadline(() => invite(host, invited)).catch(error =>
      host.log.error('mail.failed', { request_id, error })
    )
  }
  return { ...user, invitation: null }
}
