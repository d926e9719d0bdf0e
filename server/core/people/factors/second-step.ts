import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { problem, type Client, type Cookie, type Tx } from '@svc/kit'
import { recordFailedSignIn } from '../sign-in/record-failed.ts'
import { coreUser } from '../../db/schema.ts'
import type { Host } from '../../host.ts'
import { isUsable, lockUsableUser, userFacts } from '../accounts/write-user.ts'
import { accountKey, deviceCookie, findDevice } from '../sign-in/devices.ts'
import type { FactorProof } from '../confirmation/proofs.ts'
import { openSession } from '../sessions/open-session.ts'
import type { SealedRows } from '../seals/row-seals.ts'
import type { SignInWay } from '../../http/types.ts'
import type { NewSession } from '../sessions/sessions.ts'
import { presentAccount, countAttempt } from '../sign-in/sign-in-attempts.ts'
import { countCodeAttempt, findStep, issueStep, takeStep } from '../sign-in/sign-in-steps.ts'
import { takeCodeOfToday } from './codes-of-today.ts'
import { listFactors } from './factors.ts'
import { useCode } from './use-code.ts'

type Needs = Pick<Host, 'db' | 'secrets' | 'limits' | 'audit'>
type User = SealedRows['user']

const TICKET_COOKIE = 'svc_ticket'
const PATH = '/api/v1/auth'

export interface SecondStep {
  factor: 'totp' | 'passkey'
  /** Opens nothing by itself. */
  ticket: string
}

/** The request's data about its sender. */
export interface Sender {
  client: Client
  cookies: Record<string, string>
  /** True if it came from a page. */ is_browser: boolean
}

/**
 * The password was correct, and a second factor is required. A browser's ticket works only with its cookie, so that a
 * stolen one is useless; programs keep no cookies.
 */
export async function issueTicket(
  { tx, secrets }: { tx: Tx, secrets: Needs['secrets'] },
  { user, is_browser }: { user: User, is_browser: boolean }
): Promise<SecondStep & { cookies: Cookie[] }> {
  const factors = await listFactors({ db: tx, secrets }, user)
  const bound_to = is_browser ? randomBytes(32).toString('base64url') : null
  const ticket = await issueStep({ db: tx, secrets }, { purpose: 'ticket', user_id: user.id, bound_to })
  return {
    factor: factors.some(({ kind }) => kind === 'passkey') ? 'passkey' : 'totp',
    ticket,
    cookies: bound_to === null ? [] : [ticketCookie(bound_to)]
  }
}

const ticketCookie = (value: string): Cookie => ({
  name: TICKET_COOKIE,
  value,
  path: PATH,
  http_only: true,
  same_site: 'strict',
  max_age: value ? 600 : 0
})

export interface SignedIn extends NewSession {
  cookies: Cookie[]
  user_id: string
  clinic_id: string | null
  /** Null: only with the password. */ way: SignInWay | null
}

/**
 * Throws `ticket_ended`, `factor_wrong` or `too_many_requests`. A failure counts as a failed sign-in of the account,
 * and the fifth ends the ticket.
 */
export const finishWithCode = (
  host: Needs,
  { ticket, code, ...sender }: Sender & { ticket: string, code: string }
): Promise<SignedIn> =>
  finish(host, { ticket, ...sender, failure: 'factor_wrong' }, (tx, user) => useCode({ tx, secrets: host.secrets }, user, code))

type Check = (tx: Tx, user: User) => Promise<FactorProof | null>

/** The ticket's account. Throws `ticket_ended`. */
export async function findTicket(
  { db, secrets }: Pick<Needs, 'db' | 'secrets'>,
  { ticket, cookies }: { ticket: string, cookies: Record<string, string> }
): Promise<User> {
  const step = await findStep({ db, secrets }, stepOf(ticket, cookies))
  const [user] = step ? await db.select(userFacts).from(coreUser).where(eq(coreUser.id, step.user_id!)) : []
  if (!user || !isUsable(secrets, user)) throw problem('ticket_ended')
  return user
}

const stepOf = (ticket: string, cookies: Record<string, string>) =>
  ({ purpose: 'ticket', secret: ticket, bound_to: cookies[TICKET_COOKIE] ?? null }) as const

interface Finishing extends Omit<Sender, 'is_browser'> {
  ticket: string
  /** The problem's code. */ failure: 'factor_wrong' | 'passkey_wrong'
}

/** `check` uses up the proof, and returns null if it is wrong. */
export async function finish(
  host: Needs,
  { ticket, client, cookies, failure }: Finishing,
  check: Check
): Promise<SignedIn> {
  const { db, secrets, limits } = host
  const known = await findTicket(host, { ticket, cookies })
  const wanted = stepOf(ticket, cookies)
  const account = accountKey(secrets, known.email)
  const device = await findDevice({ db, secrets }, { account, cookies })
  const present = presentAccount(secrets, known)
  const refund = await countAttempt(limits, { account: present, address: client.ip_key, device })
  const refundCode = await takeCodeOfToday(limits, present)
  if (!(await countCodeAttempt({ db, secrets }, wanted))) throw problem('ticket_ended')

  const session = await db.transaction(async (tx) => {
    const user = await lockUsableUser(tx, secrets, known.id)
    const way = user && (await check(tx, user))
    if (!way) return null
    if (!(await takeStep({ db: tx, secrets }, wanted))) throw problem('ticket_ended') // the code stays unused
    const opened = await openSession({ tx, secrets }, { user, way, shown: ['password', way], client })
    return opened && { ...opened, user_id: user.id, way }
  })
  if (!session) {
    recordFailedSignIn(host, { user_id: known.id, code: failure, client })
    throw problem(failure)
  }
  await refund()
  await refundCode()
  return { ...session, cookies: [ticketCookie(''), await deviceCookie({ db, secrets }, { account, device })] }
}
