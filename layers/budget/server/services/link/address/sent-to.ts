import { problem, type Ctx } from '@svc/kit'
import type { LinkRow } from '../../../db/links.ts'
import type { PatientCard } from '../../budget/dependencies.ts'

/** The purpose with which the address is sealed. */
const SENT_TO = 'budget.sent_to'

type SentTo = Pick<LinkRow, 'sent_to_sealed' | 'channel' | 'delivered_at' | 'minted_at'>
type Addressee = Pick<PatientCard, 'email' | 'updated_at'>

/** For `sent_to_sealed`: the address to which a link is sent. */
export const sealAddress = (ctx: Ctx, email: string): string => ctx.secrets.seal(SENT_TO, email)

/**
 * Whether the patient's address differs, or may differ, from the one to which the link was sent: after an import or a
 * correction it may be someone else's. An address that can't be opened counts as different. False if the link was never
 * emailed.
 */
export function hasMoved(ctx: Ctx, link: SentTo | null, patient: Addressee | null): boolean {
  if (!link || !patient?.email) return false
  if (link.sent_to_sealed === null) return mayHaveMoved(link, patient)
  return openAddress(ctx, link)?.toLowerCase() !== patient.email.toLowerCase()
}

/** Earlier releases did not store the address of a link. It is the same if the patient's record has not changed. */
function mayHaveMoved({ channel, delivered_at, minted_at }: SentTo, { updated_at }: Addressee): boolean {
  if (channel !== 'email') return false
  const sent_at = delivered_at ?? minted_at
  return sent_at === null || new Date(updated_at) > sent_at
}

/** Throws `address_changed` with the masked old address and the new one, which is also masked for a program. */
export function mustBeSameAddress(
  ctx: Ctx,
  link: SentTo,
  { patient, token_id }: { patient: Addressee, token_id?: string | undefined }
): void {
  if (!hasMoved(ctx, link, patient)) return
  const email = patient.email!
  const sent_to = maskAddress(openAddress(ctx, link) ?? '')
  const address = token_id ? maskAddress(email) : email
  const was = link.sent_to_sealed === null
    ? 'It is not known which address this link was sent to, and the patient’s record changed since. The address'
    : `The patient’s email address was ${sent_to} when this link was sent, and`
  throw problem('address_changed', {
    detail: `${was} is ${address} now. Confirm the new address to send the link to it.`,
    sent_to,
    address
  })
}

function openAddress(ctx: Ctx, { sent_to_sealed }: SentTo): string | null {
  if (sent_to_sealed === null) return null
  try {
    return Buffer.from(ctx.secrets.open(SENT_TO, sent_to_sealed)).toString()
  } catch {
    return null
  }
}

/** `r•••@gil.example`: enough to recognise the address. */
export function maskAddress(email: string): string {
  const at = email.lastIndexOf('@')
  return `${[...email.slice(0, Math.max(at, 0))][0] ?? ''}•••${at < 0 ? '' : email.slice(at)}`
}
