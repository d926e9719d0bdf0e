import { problem, type Ctx, type Db, type Tx } from '@svc/kit'
import { insertAddress, listAddresses, updateAddress } from '../../../db/sent/addresses.ts'
import { removeSentCode } from '../../../db/sent/codes.ts'
import type { LinkRow } from '../../../db/links.ts'

/** The purpose with which the address is sealed. */
const SENT_TO = 'budget.sent_to'

type SentLink = Pick<LinkRow, 'budget_id' | 'channel' | 'delivered_at' | 'minted_at' | 'sent_to_sealed'>
/** The patient's current address on a channel. */
export interface Addressee {
  channel: string
  to: string | null
  /** When the patient's record was last changed. */
  updated_at: string
}

/**
 * Notes that the version's current link goes to this address. A code that this channel has brought becomes invalid,
 * because link and code would be in one place. Call it before the link goes out.
 */
export async function rememberAddress(
  ctx: Ctx,
  db: Db | Tx,
  { link, channel, to }: { link: Pick<LinkRow, 'budget_id' | 'clinic_id' | 'token_hash'>, channel: string, to: string }
): Promise<void> {
  const { budget_id, clinic_id, token_hash } = link
  const known = (await listAddresses(db, budget_id, channel)).find(({ sealed }) => isAddress(ctx, sealed, to))
  const values = { sealed: ctx.secrets.seal(SENT_TO, to), token_hash }
  if (known) await updateAddress(db, known.id, values)
  else await insertAddress(db, { budget_id, clinic_id, channel, ...values })
  await removeSentCode(db, budget_id, channel)
}

/**
 * Whether the patient's address differs, or may differ, from the one to which a link was last sent by this channel:
 * after an import or a correction it may be someone else's. An address that can't be opened counts as different. False
 * if no link was ever sent by the channel.
 */
export async function hasMoved(ctx: Ctx, db: Db | Tx, link: SentLink | null, addressee: Addressee): Promise<boolean> {
  const { channel, to } = addressee
  if (!link || to === null) return false
  const last = await findLast(db, link, channel)
  return last ? !isAddress(ctx, last, to) : mayHaveMoved(link, addressee)
}

/** The sealed address to which a link was last sent by the channel. */
async function findLast(db: Db | Tx, link: SentLink, channel: string): Promise<string | null> {
  const [last] = await listAddresses(db, link.budget_id, channel)
  return last?.sealed ?? (channel === 'email' ? link.sent_to_sealed : null)
}

/**
 * Still earlier releases did not store the address of a link. It is the same if the patient's record has not changed.
 */
function mayHaveMoved({ channel, delivered_at, minted_at }: SentLink, addressee: Addressee): boolean {
  if (channel !== 'email' || addressee.channel !== 'email') return false
  const sent_at = delivered_at ?? minted_at
  return sent_at === null || new Date(addressee.updated_at) > sent_at
}

/** Whether the link that is valid now was sent to this address by this channel, so that its owner has it. */
export async function hasLink(
  ctx: Ctx,
  db: Db | Tx,
  link: Pick<LinkRow, 'budget_id' | 'token_hash' | 'sent_to_sealed'>,
  { channel, to }: { channel: string, to: string }
): Promise<boolean> {
  const { token_hash, sent_to_sealed } = link
  if (channel === 'email' && sent_to_sealed && isAddress(ctx, sent_to_sealed, to)) return true
  return (await listAddresses(db, link.budget_id, channel)).some(row =>
    token_hash !== null && row.token_hash?.equals(token_hash) && isAddress(ctx, row.sealed, to))
}

interface Confirmation extends Addressee { to: string, label: string, token_id?: string | undefined }

/** Throws `address_changed` with the masked old address and the new one, which is also masked for a program. */
export async function assertSameAddress(
  ctx: Ctx,
  db: Db | Tx,
  link: SentLink,
  addressee: Confirmation
): Promise<void> {
  if (!await hasMoved(ctx, db, link, addressee)) return
  const { channel, to, label, token_id } = addressee
  const last = await findLast(db, link, channel)
  const hide = (text: string) => ctx.channels.hide(channel, text)
  const sent_to = hide(last ? openAddress(ctx, last) ?? '' : '')
  const address = token_id ? hide(to) : to
  const name = channel === 'email' ? 'email address' : `address for ${label}`
  const was = last
    ? `The patient’s ${name} was ${sent_to} when this link was sent, and`
    : 'It is not known which address this link was sent to, and the patient’s record changed since. The address'
  throw problem('address_changed', {
    detail: `${was} is ${address} now. Confirm the new address to send the link to it.`,
    sent_to,
    address
  })
}

const isAddress = (ctx: Ctx, sealed: string, to: string) =>
  openAddress(ctx, sealed)?.toLowerCase() === to.toLowerCase()

function openAddress(ctx: Ctx, sealed: string): string | null {
  try {
    return Buffer.from(ctx.secrets.open(SENT_TO, sealed)).toString()
  } catch {
    return null
  }
}
