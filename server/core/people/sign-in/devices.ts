import { randomBytes } from 'node:crypto'
import type { Cookie, Ctx, Db } from '@svc/kit'
import { emailKey } from '@svc/kit/addresses'
import { clock } from '../../clock.ts'

type Secrets = Pick<Ctx['secrets'], 'mac' | 'verifyMac'>

const LIFETIME_SECONDS = 180 * 24 * 3600
/** Sent only to the sign-in endpoints. */
const PATH = '/api/v1/auth'

/** Identifies an account in counters and cookies without the person's address. */
export const accountKey = (secrets: Pick<Secrets, 'mac'>, email: string) =>
  secrets.mac('log-in', emailKey(email)).toString('base64url')

/** One cookie per account, because the people of a clinic share a computer. */
const nameFor = (account: string) => `svc_device_${account.slice(0, 12)}`
const signedText = (account: string, id: string, since: string) => `${account} ${id} ${since}`

interface Parts { db: Db, secrets: Secrets }
interface Browser { account: string, cookies: Record<string, string> }

/** The id of a browser that has signed in to the account within 180 days, from its cookie. */
export async function findDevice({ db, secrets }: Parts, { account, cookies }: Browser): Promise<string | null> {
  const [id = '', since = '', mac = ''] = cookies[nameFor(account)]?.split('.') ?? []
  const isOurs = secrets.verifyMac('log-in-device', signedText(account, id, since), Buffer.from(mac, 'base64url'))
  if (!isOurs) return null
  const age = (await clock.now(db)).getTime() / 1000 - Number(since)
  return age < LIFETIME_SECONDS ? id : null
}

/** The cookie for a browser that has just signed in. A known browser keeps its id. */
export async function deviceCookie(
  { db, secrets }: Parts,
  { account, device }: { account: string, device: string | null }
): Promise<Cookie> {
  const id = device ?? randomBytes(16).toString('base64url')
  const since = String(Math.floor((await clock.now(db)).getTime() / 1000))
  const mac = secrets.mac('log-in-device', signedText(account, id, since)).toString('base64url')
  return {
    name: nameFor(account),
    value: `${id}.${since}.${mac}`,
    path: PATH,
    http_only: true,
    same_site: 'lax',
    max_age: LIFETIME_SECONDS
  }
}
