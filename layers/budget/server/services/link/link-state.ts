import type { Ctx, Tx } from '@svc/kit'
import type { LinkState } from '../../../shared/contract.ts'
import type { BudgetRow } from '../../db/budgets.ts'
import { saveToken, type LinkRow } from '../../db/links.ts'
import { statusAt } from '../../../shared/domain/budget-state.ts'
import { showDeliveryError } from '../../../shared/domain/delivery-error.ts'
import { linkPath } from './link-token.ts'
import { lockOf } from '../../../shared/domain/lockout.ts'
import { codeOf, isShortSealed, mintLink, mintShort, shortLookUps, tokenLookUps } from './row-seals.ts'
import { shortPath } from './short-code.ts'

/** The purpose with which tokens are sealed. */
const TOKEN = 'budget.token'
const SHORT = 'budget.short'

/** Creates the token of a version that is sent, or sent again with a new link. The previous token is then unknown. */
export async function saveNewToken(ctx: Ctx, tx: Tx, budget: { id: string, clinic_id: string }): Promise<string> {
  const key = { budget_id: budget.id, clinic_id: budget.clinic_id }
  const { token, ...kept } = mintLink(ctx.secrets, key)
  const { code, ...short } = mintShort(ctx.secrets, { ...key, ...kept })
  await saveToken(tx, key, {
    ...kept,
    ...short,
    token_sealed: ctx.secrets.seal(TOKEN, token),
    short_sealed: ctx.secrets.seal(SHORT, code)
  })
  return token
}

/** The link's URL; null before the budget was sent. Staff may copy it at any time. */
export function linkUrl(ctx: Ctx, link: SealedLinkRow | null): string | null {
  const path = linkPathOf(ctx, link)
  return path && ctx.base_url + path
}

type SealedLinkRow = Pick<LinkRow, 'budget_id' | 'token_hash' | 'token_sealed'>

/** The same, relative to the instance's URL. Throws if the row was changed outside the service. */
export function linkPathOf(ctx: Ctx, link: SealedLinkRow | null): string | null {
  const path = findLinkPath(ctx, link)
  if (path === 'changed')
    throw new Error(`the link of budget ${link!.budget_id} is not its own: its row was changed past the service`)
  return path
}

/** `changed`: the sealed token does not match the hash that opens the link. */
export function findLinkPath(ctx: Pick<Ctx, 'secrets'>, link: SealedLinkRow | null): string | 'changed' | null {
  if (!link?.token_sealed) return null
  const token = openSealed(ctx, TOKEN, link.token_sealed)
  const isOwn = token !== null && tokenLookUps(ctx.secrets, token).some(kept => link.token_hash?.equals(kept))
  return isOwn ? linkPath(token) : 'changed'
}

/** Null if it was not sealed here, or was changed since. */
function openSealed({ secrets }: Pick<Ctx, 'secrets'>, purpose: string, sealed: string): string | null {
  try {
    return Buffer.from(secrets.open(purpose, sealed)).toString()
  } catch {
    return null
  }
}

/** The short address for typing; null for links of releases that had none, and for a manipulated one. */
export function shortUrl(ctx: Ctx, link: LinkRow | null): string | null {
  if (!link?.short_sealed) return null
  const code = openSealed(ctx, SHORT, link.short_sealed)
  const isOwn = code !== null && shortLookUps(ctx.secrets, code).some(kept => link.short_hash?.equals(kept))
  return isOwn && isShortSealed(ctx.secrets, link) ? ctx.base_url + shortPath(code) : null
}

export const urlOf = (ctx: Ctx, token: string): string => ctx.base_url + linkPath(token)

/**
 * The link as staff see it, never with the code. Without a URL if its row was manipulated, which `proof_faults`
 * reports.
 */
export function linkState(
  ctx: Ctx,
  { budget, link, now }: { budget: BudgetRow, link: LinkRow | null, now: Date }
): LinkState {
  const path = findLinkPath(ctx, link)
  const url = path === null || path === 'changed' ? null : ctx.base_url + path
  const state = path === null ? 'none' : statusAt(budget, now) === 'sent' ? 'active' : 'closed'
  const lock = link ? lockOf({ link, now }) : { locked: false, locked_until: null }
  return {
    state,
    url,
    short_url: url === null ? null : shortUrl(ctx, link),
    has_code: codeOf(ctx.secrets, link) !== null,
    failed_attempts: link?.failed_attempts ?? 0,
    locked: lock.locked,
    locked_until: lock.locked_until?.toISOString() ?? null,
    ...deliveryOf(link)
  }
}

type Delivered = Pick<
  LinkRow,
  'channel' | 'delivery' | 'delivered_via' | 'delivered_at' | 'delivery_error' | 'delivery_reason'
>

/** The result of the last message. */
export const deliveryOf = (link: { [Name in keyof Delivered]: Delivered[Name] | null } | null) => ({
  channel: link?.channel ?? null,
  delivery: link?.delivery ?? 'none' as const,
  delivered_via: link?.delivered_via ?? null,
  delivered_at: link?.delivered_at?.toISOString() ?? null,
  ...showDeliveryError(link?.delivery_error ?? null),
  delivery_reason: link?.delivery_reason ?? null
})
