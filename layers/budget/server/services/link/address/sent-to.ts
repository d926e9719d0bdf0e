import { problem, type Ctx } from '@svc/kit'
import type { LinkRow } from '../../../db/links.ts'

/** Purpose under which the address is sealed. */
const SENT_TO = 'budget.sent_to'

type SentTo = Pick<LinkRow, 'sent_to_sealed'>

/** For `sent_to_sealed`: the address that a link goes to. */
export const sealAddress = (ctx: Ctx, email: string): string => ctx.secrets.seal(SENT_TO, email)

/**
 * Whether the patient's address is another one than the link went to: an import or a correction may have made it
 * somebody else's. False where no address is known; one that can't be opened counts as another.
 */
export const hasMoved = (ctx: Ctx, link: SentTo | null, email: string | null | undefined): boolean =>
  Boolean(link?.sent_to_sealed && email) && openAddress(ctx, link!)?.toLowerCase() !== email!.toLowerCase()

/** Throws `address_changed` with the old address, masked, and the new one: masked too for a program. */
export function mustBeSameAddress(
  ctx: Ctx,
  link: SentTo,
  { email, token_id }: { email: string, token_id?: string | undefined }
): void {
  if (!hasMoved(ctx, link, email)) return
  const sent_to = maskAddress(openAddress(ctx, link) ?? '')
  const address = token_id ? maskAddress(email) : email
  throw problem('address_changed', {
    detail: `The patient’s email address was ${sent_to} when this link was sent, and is ${address} now. Confirm the new `
      + 'address to send the link to it.',
    sent_to,
    address
  })
}

function openAddress(ctx: Ctx, { sent_to_sealed }: SentTo): string | null {
  try {
    return Buffer.from(ctx.secrets.open(SENT_TO, sent_to_sealed!)).toString()
  } catch {
    return null
  }
}

/** `r•••@gil.example`: enough to recognise it by. */
export function maskAddress(email: string): string {
  const at = email.lastIndexOf('@')
  return `${[...email.slice(0, Math.max(at, 0))][0] ?? ''}•••${at < 0 ? '' : email.slice(at)}`
}
