import { and, eq, isNotNull } from 'drizzle-orm'
import type { Db } from '@svc/kit'
import type { Invitation } from '../../../../shared/auth.ts'
import { coreUser } from '../../db/schema.ts'
import type { Host } from '../../host.ts'
import { isUnclaimed, issueMailedToken } from './mailed-tokens.ts'
import { linkTo, sendInvitation, type Invited } from './mails.ts'

interface InvitationInput extends Invited { request_id: string, mayMail: boolean }

/**
 * The mail asks the holder of an existing account whether they agree, and everyone else to choose a password. The
 * answer is the same for both, and shows whether the mail was sent. A failed mail is logged, and the answer then has a
 * link to hand over. That link gives no more access than a password that the clinic could have chosen, and opens no
 * existing account: whether the account is still unclaimed is checked again when the link is used. Without `mayMail`
 * the answer is the same as for a sent mail, and links that were mailed before stay valid.
 */
export async function invite(host: Host, { request_id, mayMail, ...invited }: InvitationInput): Promise<Invitation> {
  const delivered_via = mayMail ? await mail(host, { request_id, ...invited }) : skipMail(host, request_id)
  if (delivered_via === 'smtp') return { delivered_via, url: null }
  const handed = await isUnclaimed(host, invited) ? 'handed_invitation' : 'handed_membership'
  const token = await issueMailedToken(host, { purpose: handed, ...invited })
  return { delivered_via, url: linkTo(host.config.base_url, 'invitation', token) }
}

async function mail(host: Host, { request_id, ...invited }: Omit<InvitationInput, 'mayMail'>) {
  const purpose = await hasHolder(host.db, invited.user_id) ? 'membership' : 'invitation'
  return await sendInvitation(host, { ...invited, purpose }).catch((error: unknown) => {
    host.log.error('mail.failed', { request_id, error })
    return null
  })
}

function skipMail({ config, log }: Host, request_id: string) {
  log.warn('mail.limited', { request_id })
  return config.smtp_url ? 'smtp' : 'file'
}

/** Has a password and a proven address. Without them, the mail asks the person to choose a password. */
async function hasHolder(db: Db, user_id: string): Promise<boolean> {
  const rows = await db.select({ id: coreUser.id }).from(coreUser)
    .where(and(eq(coreUser.id, user_id), isNotNull(coreUser.password_hash), isNotNull(coreUser.email_proven_at)))
  return rows.length > 0
}
