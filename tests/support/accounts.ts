import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { sealOf } from '../../server/core/people/seals/row-seals.ts'
import { coreSession } from '../../server/core/db/schema.ts'
import type { Host } from '../../server/core/host.ts'
import { createUser, type CreateUser } from '../../server/core/people/accounts/create-user.ts'
import { eventually } from './builders.ts'
import type { Caller } from './caller.ts'
import type { Instance } from './instance.ts'
import { hashOnce, PASSWORD } from './people.ts'

export const LOGIN = '/api/v1/auth/login'

/** By default a receptionist of the clinic. */
export async function aUser(
  instance: Instance,
  fields: Partial<CreateUser> = {}
): Promise<{ id: string, email: string }> {
  const email = `user-${randomBytes(4).toString('hex')}@clinic.test`
  const { db, secrets } = instance.runtime.host
  const { id } = await createUser(
    { db, secrets: hashOnce(secrets) },
    {
      email,
      first_name: 'Rosa',
      last_name: 'Gil',
      clinic_id: instance.clinic.id,
      role: 'receptionist',
      password: PASSWORD,
      ...fields
    },
    { by: 'operator' }
  )
  return { id, email }
}

/** A browser with the cookie of a new session. */
export async function signedIn(instance: Instance, email: string, password = PASSWORD): Promise<Caller> {
  const browser = instance.anonymous()
  const { status, body } = await browser.post(LOGIN, { email, password })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return browser
}

/** The token from the newest message to the address; with `page`, from the newest message that links to that page. */
export const mailedToken = (instance: Pick<Instance, 'storage'>, email: string, page = ''): Promise<string> =>
  eventually(async () => (await mailedTokens(instance, email, page)).at(-1), `a mail to ${email}`)

/** All messages to the address as they were written to files, oldest first. */
export async function mailsTo(storage: string, email: string): Promise<string[]> {
  const outbox = join(storage, 'outbox')
  const files = (await readdir(outbox).catch(() => [])).filter(file => file.endsWith('.eml')).sort()
  const mails = await Promise.all(files.map(file => readFile(join(outbox, file), 'utf8')))
  return mails.filter(text => text.includes(`To: ${email}`))
}

/** From all messages to the address, oldest first. */
export async function mailedTokens(
  { storage }: Pick<Instance, 'storage'>,
  email: string,
  page = ''
): Promise<string[]> {
  const mails = await mailsTo(storage, email)
  return mails
    .map(text => text.replaceAll('=\r\n', '').replaceAll('=3D', '=').match(new RegExp(`${page}#([\\w-]{43})`))?.[1])
    .filter(token => token !== undefined)
}

/** Makes the proofs of a person's sessions one hour older, and seals them as the service would have. */
export const expireConfirmations = ({ runtime: { host } }: Instance, user_id: string) => endConfirmations(host, user_id)

export async function endConfirmations({ db, secrets }: Pick<Host, 'db' | 'secrets'>, user_id: string): Promise<void> {
  const rows = await db.select().from(coreSession).where(eq(coreSession.user_id, user_id))
  for (const row of rows) {
    const later = { ...row, confirmed_at: row.confirmed_at && new Date(row.confirmed_at.getTime() - 3_600_000) }
    await db
      .update(coreSession)
      .set({ confirmed_at: later.confirmed_at, seal: sealOf(secrets, 'session', later) })
      .where(eq(coreSession.token_hash, row.token_hash))
  }
}

export interface Authenticator {
  secret: string
  /** The code that confirmed it. */ confirmed: string
  /** A code that was not used yet: once, of the next time step, which is accepted before it begins. */
  next(): Promise<string>
}

/** Adds an authenticator app to the account of the browser's person. */
export async function anAuthenticator(browser: Caller): Promise<{ app: Authenticator, recovery_codes: string[] }> {
  const { body } = await browser.post('/api/v1/auth/factors/totp')
  const { secret } = body.data as { secret: string }
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  let step = totp.counter()
  const codeOf = (at: number) => totp.generate({ timestamp: at * 30_000 })
  const confirmed = codeOf(step)
  const answer = await browser.post('/api/v1/auth/factors/totp/confirm', { code: confirmed })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  const next = async () => {
    step = Math.max(step + 1, totp.counter())
    return codeOf(step)
  }
  return { app: { secret, confirmed, next }, recovery_codes: answer.body.data.recovery_codes }
}
