import { eq } from 'drizzle-orm'
import type { Services } from '../services.ts'
import { coreClinic, coreMembership, coreUser } from '../db/schema.ts'
import { issueMailedToken, type Purpose } from './mailed-tokens.ts'

type Needs = Pick<Services, 'db' | 'mail' | 'clinics' | 'config' | 'limits' | 'secrets'>

interface Text { subject: string, lines: string[] }
interface Facts { name: string, clinic: string, link: string }

// The languages of the staff's screens come with the screens; what is missing here falls back to English.
const INVITATION: Record<string, (facts: Facts) => Text> = {
  en: ({ name, clinic, link }) => ({
    subject: `Your account at ${clinic}`,
    lines: [`Hello ${name},`, `${clinic} has made an account for you. Choose a password within seven days:`, link]
  }),
  es: ({ name, clinic, link }) => ({
    subject: `Su cuenta en ${clinic}`,
    lines: [`Hola, ${name}:`, `${clinic} ha creado una cuenta para usted. Elija una contraseña en los próximos siete días:`, link]
  })
}

const PASSWORD_RESET: Record<string, (facts: Facts) => Text> = {
  en: ({ name, link }) => ({
    subject: 'Choose a new password',
    lines: [`Hello ${name},`, 'somebody asked for a new password for your account. Choose one within an hour:', link, 'If it was not you, you need not do anything.']
  }),
  es: ({ name, link }) => ({
    subject: 'Elija una nueva contraseña',
    lines: [`Hola, ${name}:`, 'alguien ha pedido una nueva contraseña para su cuenta. Elija una en la próxima hora:', link, 'Si no ha sido usted, no tiene que hacer nada.']
  })
}

/** Behind `#`, so that the token is in no log and no referrer. */
const linkTo = (base: string, purpose: Purpose, token: string) => `${base}/${purpose === 'invitation' ? 'invitation' : 'password-reset'}#${token}`

/** A link to choose a password with, good for seven days, in the clinic's language. */
export async function sendInvitation(services: Needs, { user_id, clinic_id }: { user_id: string, clinic_id: string }): Promise<void> {
  const clinic = await services.clinics.get(clinic_id)
  const token = await issueMailedToken(services.db, { purpose: 'invitation', user_id })
  await send(services, { user_id, link: linkTo(services.config.base_url, 'invitation', token), clinic: clinic.name, texts: INVITATION, locale: clinic.locale })
}

/** Does nothing for an unknown address, and at most 3 times an hour for a known one. */
export async function sendPasswordReset(services: Needs, email: string): Promise<void> {
  const [user] = await services.db.select({ id: coreUser.id }).from(coreUser).where(eq(coreUser.email, email))
  if (!user) return
  const { allowed } = await services.limits.limiter({ name: 'core:password-reset-mail', points: 3, seconds: 3600 }).take(user.id)
  if (!allowed) return
  const token = await issueMailedToken(services.db, { purpose: 'password_reset', user_id: user.id })
  const locale = await localeOf(services, user.id)
  await send(services, { user_id: user.id, link: linkTo(services.config.base_url, 'password_reset', token), clinic: '', texts: PASSWORD_RESET, locale })
}

async function localeOf({ db }: Needs, user_id: string): Promise<string> {
  const [row] = await db.select({ locale: coreClinic.locale }).from(coreMembership)
    .innerJoin(coreClinic, eq(coreClinic.id, coreMembership.clinic_id))
    .where(eq(coreMembership.user_id, user_id)).orderBy(coreMembership.created_at).limit(1)
  return row?.locale ?? 'en'
}

interface Outgoing { user_id: string, link: string, clinic: string, locale: string, texts: Record<string, (facts: Facts) => Text> }

async function send({ db, mail }: Needs, { user_id, link, clinic, locale, texts }: Outgoing): Promise<void> {
  const [user] = await db.select({ email: coreUser.email, name: coreUser.first_name }).from(coreUser).where(eq(coreUser.id, user_id))
  const write = texts[locale.split('-')[0]!] ?? texts.en!
  const { subject, lines } = write({ name: user!.name, clinic, link })
  await mail.send({ to: user!.email, subject, text: `${lines.join('\n\n')}\n` })
}
