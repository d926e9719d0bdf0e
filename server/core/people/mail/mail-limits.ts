import { problem } from '@svc/kit'
import type { Limiter, Host } from '../../host.ts'
import { accountKey } from '../sign-in/devices.ts'

type Needs = Pick<Host, 'limits' | 'secrets'>

const HOUR = 3600
const AN_ADDRESS = 5

/**
 * For invitations, per clinic and per address. False if other clinics have used up the address's limit for this hour:
 * the clinic must not learn of them, so it gets the usual answer, and no mail is sent. Throws `too_many_requests` if
 * the clinic itself sent too many.
 */
export async function takeInvitationMail(
  { limits, secrets }: Needs,
  { clinic_id, email }: { clinic_id: string, email: string }
): Promise<boolean> {
  const limiter = (name: string, points: number) =>
    limits.limiter({ name: `core:invitation-mail-${name}`, points, seconds: HOUR })
  const address = accountKey(secrets, email)
  await take(limiter('clinic-address', AN_ADDRESS), `${clinic_id} ${address}`)
  const ofClinic = limiter('clinic', 50)
  await take(ofClinic, clinic_id)
  const { allowed } = await limiter('address', AN_ADDRESS).take(address)
  if (!allowed) await ofClinic.refundAttempt(clinic_id)
  return allowed
}

/** For resets, per address, whether it is known or not. Invitations do not count. Throws `too_many_requests`. */
export async function takeResetMail({ limits, secrets }: Needs, email: string): Promise<void> {
  await take(limits.limiter({ name: 'core:password-reset-mail', points: 3, seconds: HOUR }), accountKey(secrets, email))
}

/** For links to add a first second factor. Throws `too_many_requests`. */
export async function takeEnrolmentMail({ limits }: Needs, user_id: string): Promise<void> {
  await take(limits.limiter({ name: 'core:enrolment-mail', points: 3, seconds: HOUR }), user_id)
}

/**
 * For notices, per address. Those caused by a clinic have a separate count, so that it can't use up the account's.
 * False beyond the limit.
 */
export async function takeNoticeMail(
  { limits, secrets }: Needs,
  { email, clinic_id }: { email: string, clinic_id?: string | undefined }
): Promise<boolean> {
  const limiter = limits.limiter({ name: 'core:notice-mail', points: 10, seconds: HOUR })
  return (await limiter.take(`${clinic_id ?? 'account'} ${accountKey(secrets, email)}`)).allowed
}

async function take(limiter: Limiter, key: string): Promise<void> {
  const { allowed, reset } = await limiter.take(key)
  if (!allowed)
    throw problem('too_many_requests', {
      detail: 'Too many emails were sent. Try again in an hour.',
      retry_after: reset
    })
}
