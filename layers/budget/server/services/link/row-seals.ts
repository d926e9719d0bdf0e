import type { Ctx } from '@svc/kit'
import { mintToken, tokenHash } from './link-token.ts'
import { mintShortCode } from './short-code.ts'

type Secrets = Ctx['secrets']
type Key = { budget_id: string, clinic_id: string }

// Everything that opens a budget is bound to its row by a MAC: a row that SQL added, moved or filled with another row's
// values opens nothing.

export interface SealedLink extends Key { token_hash: Buffer | null, token_seal: Buffer | null }
/** A link's short address, bound to the link's token: a new link gets a new one. */
export interface SealedShort extends Key {
  token_hash: Buffer | null
  short_hash: Buffer | null
  short_seal: Buffer | null
}
export interface SealedCode extends Key { code_hash: string | null, code_seal: Buffer | null }
/** Bound to what opened it: a new token or code ends the session. */
export interface SealedSession extends Key {
  session_hash: Buffer
  created_at: Date
  /** The member of staff who handed the budget over in the clinic. */ handed_by: string | null
  seal: Buffer | null
}
/** Bound to its link: a new link ends the hand-over. */
export interface SealedHandOver extends Key {
  digits_hash: Buffer
  secret_hash: Buffer
  user_id: string
  session_mark: string
  created_at: Date
  seal: Buffer
}
/** Bound to its link: a new link makes the code wrong. */
export interface SealedSentCode extends Key {
  message_id: string
  channel: string
  code_hash: string
  expires_at: Date
  seal: Buffer
}
export type OpenedBy = Pick<SealedLink, 'token_hash'> & Pick<SealedCode, 'code_hash'>

const LOOK_UP = 'budget.look-up'
const SHORT_LOOK_UP = 'budget.short-look-up'
const HAND_OVER_LOOK_UP = 'budget.hand-over-look-up'
const PURPOSE = {
  short: 'budget.short',
  link: 'budget.link',
  code: 'budget.code',
  session: 'budget.session',
  handOver: 'budget.hand-over',
  sentCode: 'budget.sent-code-row'
}

const text = (...values: (string | number | null)[]) => JSON.stringify(values)
const base64 = (bytes: Buffer | null) => bytes?.toString('base64url') ?? null

const linkText = ({ budget_id, clinic_id, token_hash }: Omit<SealedLink, 'token_seal'>) =>
  text(budget_id, clinic_id, base64(token_hash))
const shortText = ({ budget_id, clinic_id, token_hash, short_hash }: Omit<SealedShort, 'short_seal'>) =>
  text(budget_id, clinic_id, base64(token_hash), base64(short_hash))
const codeText = ({ budget_id, clinic_id, code_hash }: Omit<SealedCode, 'code_seal'>) =>
  text(budget_id, clinic_id, code_hash)
const sessionText = (
  { budget_id, clinic_id, session_hash, created_at, handed_by }: Omit<SealedSession, 'seal'>,
  by: OpenedBy
) =>
  text(
    budget_id,
    clinic_id,
    base64(session_hash),
    created_at.getTime(),
    base64(by.token_hash),
    by.code_hash,
    ...(handed_by === null ? [] : [handed_by])
  )
const handOverText = (row: Omit<SealedHandOver, 'seal'>, { token_hash }: Pick<SealedLink, 'token_hash'>) =>
  text(
    row.budget_id,
    row.clinic_id,
    base64(row.digits_hash),
    base64(row.secret_hash),
    row.user_id,
    row.session_mark,
    row.created_at.getTime(),
    base64(token_hash)
  )

/** The values by which the database finds a token or cookie, one for each secret that may have been in use. */
export const tokenLookUps = (secrets: Secrets, token: string): Buffer[] => secrets.macs(LOOK_UP, tokenHash(token))

/** The values by which the database finds a short address. */
export const shortLookUps = (secrets: Secrets, code: string): Buffer[] => secrets.macs(SHORT_LOOK_UP, code)

/** The same for a digest of an earlier release, which stored nothing else. */
export const digestLookUp = (secrets: Secrets, digest: Uint8Array): Buffer => secrets.mac(LOOK_UP, digest)

export const linkSeal = (secrets: Secrets, row: Omit<SealedLink, 'token_seal'>): Buffer =>
  secrets.mac(PURPOSE.link, linkText(row))
export const codeSeal = (secrets: Secrets, row: Omit<SealedCode, 'code_seal'>): Buffer =>
  secrets.mac(PURPOSE.code, codeText(row))
export const sessionSeal = (secrets: Secrets, row: Omit<SealedSession, 'seal'>, by: OpenedBy): Buffer =>
  secrets.mac(PURPOSE.session, sessionText(row, by))

export const isLinkSealed = (secrets: Secrets, row: SealedLink): boolean =>
  row.token_seal !== null && secrets.verifyMac(PURPOSE.link, linkText(row), row.token_seal)

export const isShortSealed = (secrets: Secrets, row: SealedShort): boolean =>
  row.short_seal !== null && secrets.verifyMac(PURPOSE.short, shortText(row), row.short_seal)

export const isSessionSealed = (secrets: Secrets, row: SealedSession, by: OpenedBy): boolean =>
  row.seal !== null && secrets.verifyMac(PURPOSE.session, sessionText(row, by), row.seal)

/** The hash of the row's own code; null if it has none, or one that the service did not write. */
export function codeOf(secrets: Secrets, row: SealedCode | null): string | null {
  if (!row?.code_hash || !row.code_seal) return null
  return secrets.verifyMac(PURPOSE.code, codeText(row), row.code_seal) ? row.code_hash : null
}

/** A new token, and the values that the link's row stores besides the sealed copy. */
export function mintLink(secrets: Secrets, key: Key): { token: string, token_hash: Buffer, token_seal: Buffer } {
  const token = mintToken()
  const token_hash = digestLookUp(secrets, tokenHash(token))
  return { token, token_hash, token_seal: linkSeal(secrets, { ...key, token_hash }) }
}

/** A short address for a new link. */
export function mintShort(
  secrets: Secrets,
  link: Key & { token_hash: Buffer }
): { code: string, short_hash: Buffer, short_seal: Buffer } {
  const code = mintShortCode()
  const short_hash = secrets.mac(SHORT_LOOK_UP, code)
  return { code, short_hash, short_seal: secrets.mac(PURPOSE.short, shortText({ ...link, short_hash })) }
}

/** The values that the link's row stores of a code. Hashing takes a tenth of a second. */
export async function hashCode(
  secrets: Secrets,
  { budget_id, clinic_id }: Key,
  code: string
): Promise<{ code_hash: string, code_seal: Buffer }> {
  const code_hash = await secrets.hash(code)
  return { code_hash, code_seal: codeSeal(secrets, { budget_id, clinic_id, code_hash }) }
}

/** The values by which the database finds the digits, or the secret, of a hand-over. */
export const handOverLookUps = (secrets: Secrets, given: string): Buffer[] => secrets.macs(HAND_OVER_LOOK_UP, given)
export const handOverHash = (secrets: Secrets, given: string): Buffer => secrets.mac(HAND_OVER_LOOK_UP, given)

export const handOverSeal = (
  secrets: Secrets,
  row: Omit<SealedHandOver, 'seal'>,
  link: Pick<SealedLink, 'token_hash'>
): Buffer => secrets.mac(PURPOSE.handOver, handOverText(row, link))

export const isHandOverSealed = (
  secrets: Secrets,
  row: SealedHandOver,
  link: Pick<SealedLink, 'token_hash'>
): boolean => secrets.verifyMac(PURPOSE.handOver, handOverText(row, link), row.seal)

const sentCodeText = (row: Omit<SealedSentCode, 'seal'>, { token_hash }: Pick<SealedLink, 'token_hash'>) =>
  text(
    row.budget_id,
    row.clinic_id,
    row.message_id,
    row.channel,
    row.code_hash,
    row.expires_at.getTime(),
    base64(token_hash)
  )

export const sentCodeSeal = (
  secrets: Secrets,
  row: Omit<SealedSentCode, 'seal'>,
  link: Pick<SealedLink, 'token_hash'>
): Buffer => secrets.mac(PURPOSE.sentCode, sentCodeText(row, link))

export const isSentCodeSealed = (
  secrets: Secrets,
  row: SealedSentCode,
  link: Pick<SealedLink, 'token_hash'>
): boolean => secrets.verifyMac(PURPOSE.sentCode, sentCodeText(row, link), row.seal)
