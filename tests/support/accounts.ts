import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { createUser, type CreateUser } from '../../server/core/users/create-user.ts'
import { eventually } from './builders.ts'
import type { Caller } from './caller.ts'
import type { Instance } from './instance.ts'
import { PASSWORD } from './people.ts'

export const LOGIN = '/api/v1/auth/login'

/** A receptionist of the clinic unless told otherwise. */
export async function aUser(it: Instance, fields: Partial<CreateUser> = {}): Promise<{ id: string, email: string }> {
  const email = `user-${randomBytes(4).toString('hex')}@clinic.test`
  const { id } = await createUser(
    it.runtime.host,
    {
      email,
      first_name: 'Rosa',
      last_name: 'Gil',
      clinic_id: it.clinic.id,
      role: 'receptionist',
      password: PASSWORD,
      ...fields
    },
    { by: 'operator' }
  )
  return { id, email }
}

/** A browser with the cookie of a new session. */
export async function loggedIn(it: Instance, email: string, password = PASSWORD): Promise<Caller> {
  const browser = it.anonymous()
  const { status, body } = await browser.post(LOGIN, { email, password })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return browser
}

/** The token of the newest message to the address. */
export async function mailedToken(it: Pick<Instance, 'storage'>, email: string): Promise<string> {
  const outbox = join(it.storage, 'outbox')
  return await eventually(async () => {
    const files = (await readdir(outbox).catch(() => [])).filter(file => file.endsWith('.eml')).sort()
    const mails = await Promise.all(files.map(file => readFile(join(outbox, file), 'utf8')))
    const mail = mails
      .filter(text => text.includes(`To: ${email}`))
      .at(-1)
      ?.replaceAll('=\r\n', '')
      .replaceAll('=3D', '=')
    return mail?.match(/#([\w-]{43})/)?.[1]
  }, `a mail to ${email}`)
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
