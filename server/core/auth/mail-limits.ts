import { problem } from '@svc/kit'
import type { Services } from '../services.ts'
import { accountKey } from './devices.ts'

type Needs = Pick<Services, 'limits' | 'secrets'>

const HOUR = 3600

/** Of invitations: by clinic, and over all clinics by address, known or not. Throws `too_many_requests`. */
export async function takeInvitationMail({ limits, secrets }: Needs, { clinic_id, email }: { clinic_id: string, email: string }): Promise<void> {
  await take(limits, { name: 'core:invitation-mail-clinic', points: 50 }, clinic_id)
  await take(limits, { name: 'core:invitation-mail-address', points: 5 }, accountKey(secrets, email))
}

/** Of resets, by address: alike for known and unknown ones. Invitations do not use it up. Throws `too_many_requests`. */
export async function takeResetMail({ limits, secrets }: Needs, email: string): Promise<void> {
  await take(limits, { name: 'core:password-reset-mail', points: 3 }, accountKey(secrets, email))
}

async function take(limits: Needs['limits'], limit: { name: string, points: number }, key: string): Promise<void> {
  const { allowed, reset } = await limits.limiter({ ...limit, seconds: HOUR }).take(key)
  if (!allowed) throw problem('too_many_requests', { detail: 'Too many emails were sent. Try again in an hour.', retry_after: reset })
}
