import { eq } from 'drizzle-orm'
import { problem } from '@svc/kit'
import { writeEmail } from '@svc/kit/email'
import type { Host } from '../../host.ts'
import { coreClinic, coreMembership, coreUser } from '../../db/schema.ts'
import { accountTexts } from './mail-texts.ts'
import { issueMailedToken } from './mailed-tokens.ts'
import { hasAddress } from '../accounts/has-address.ts'
import { isUsable, userFacts } from '../accounts/write-user.ts'

type Needs = Pick<Host, 'db' | 'mail' | 'clinics' | 'config' | 'secrets'>
export interface Invited { user_id: string, clinic_id: string }

const PAGES = {
  invitation: 'invitation', membership: 'membership', password_reset: 'password-reset',
  enrolment: 'enrolment', factor_removal: 'factor-removal'
} as const

/** After the `#`, so that the token appears in no log and no referrer. */
export const linkTo = (base: string, purpose: keyof typeof PAGES, token: string) => `${base}/${PAGES[purpose]}#${token}`

/** A link for choosing a password or agreeing to a membership, valid for seven days, in the clinic's language. */
export async function sendInvitation(
  host: Needs,
  { purpose, user_id, clinic_id }: Invited & { purpose: 'invitation' | 'membership' }
): Promise<'smtp' | 'file'> {
  const clinic = await host.clinics.get(clinic_id)
  const { greeting, fallback, ...texts } = accountTexts(clinic.locale)
  const invitation = texts[purpose]
  const token = await issueMailedToken(host, { purpose, user_id, clinic_id })
  const user = await getAddressee(host, user_id)
  const { via } = await host.mail.send({
    to: user.email,
    subject: invitation.subject(clinic.name),
    ...writeEmail({
      locale: clinic.locale,
      sender: clinic,
      before: [greeting(user.name), invitation.lead(clinic.name)],
      button: { label: invitation.button, url: linkTo(host.config.base_url, purpose, token) },
      after: [],
      fallback
    })
  })
  return via
}

/**
 * Does nothing for an account that is unknown, deactivated, or was changed outside the service, because its address may
 * be another person's.
 */
export async function sendPasswordReset(host: Needs, email: string): Promise<void> {
  const [user] = await host.db.select(userFacts).from(coreUser).where(hasAddress(email))
  if (!user || !isUsable(host.secrets, user)) return
  await mailPasswordReset(host, { id: user.id })
}

/** The operator can also send it. */
export async function mailPasswordReset(host: Needs, { id }: { id: string }): Promise<void> {
  await mailLink(host, { user_id: id, purpose: 'password_reset' })
}

/** For a signed-in person who needs more than the password to add a first factor. */
export const sendEnrolmentLink = (host: Needs, user_id: string): Promise<'smtp' | 'file'> =>
  mailLink(host, { user_id, purpose: 'enrolment' })

/** Valid for an hour. In the account's language, otherwise the sender's. */
async function mailLink(
  host: Needs,
  { user_id, purpose }: { user_id: string, purpose: 'password_reset' | 'enrolment' }
): Promise<'smtp' | 'file'> {
  const sender = await senderFor(host, user_id)
  const { email, name, locale: chosen } = await getAddressee(host, user_id)
  const locale = chosen ?? sender.locale
  const { greeting, fallback, [purpose]: texts } = accountTexts(locale)
  const token = await issueMailedToken(host, { purpose, user_id })
  const { via } = await host.mail.send({
    to: email,
    subject: texts.subject,
    ...writeEmail({
      locale,
      sender,
      before: [greeting(name), texts.lead],
      button: { label: texts.button, url: linkTo(host.config.base_url, purpose, token) },
      after: [texts.otherwise],
      fallback
    })
  })
  return via
}

export async function getAddressee(
  { db }: Pick<Needs, 'db'>,
  user_id: string
): Promise<{ email: string, name: string, locale: string | null }> {
  const [user] = await db
    .select({ email: coreUser.email, name: coreUser.first_name, locale: coreUser.locale })
    .from(coreUser)
    .where(eq(coreUser.id, user_id))
  if (!user) throw problem('not_found')
  return user
}

/** The first clinic that the account belongs to. For administrators of the instance, the instance itself. */
export async function senderFor(
  { db, config }: Pick<Needs, 'db' | 'config'>,
  user_id: string
): Promise<{ name: string, accent_color: string | null, locale: string }> {
  const [clinic] = await db
    .select({ name: coreClinic.name, accent_color: coreClinic.accent_color, locale: coreClinic.locale })
    .from(coreMembership)
    .innerJoin(coreClinic, eq(coreClinic.id, coreMembership.clinic_id))
    .where(eq(coreMembership.user_id, user_id))
    .orderBy(coreMembership.created_at)
    .limit(1)
  return clinic ?? { name: new URL(config.base_url).host, accent_color: null, locale: 'en' }
}
