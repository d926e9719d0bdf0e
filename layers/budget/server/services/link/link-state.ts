import type { Ctx, Tx } from '@svc/kit'
import type { LinkState } from '../../../shared/contract.ts'
import type { BudgetRow } from '../../db/budgets.ts'
import { saveToken, type LinkRow } from '../../db/links.ts'
import { statusAt } from '../../../shared/domain/budget-state.ts'
import { showDeliveryError } from '../../../shared/domain/delivery-error.ts'
import { linkPath } from './link-token.ts'
import { lockOf } from '../../../shared/domain/lockout.ts'
import { codeOf, mintLink, tokenLookUps } from './row-seals.ts'

/** Purpose under which tokens are sealed. */
const TOKEN = 'budget.token'

/** Mints the token of a version that is sent, or sent with a new link; the one before it is unknown from here on. */
export async function saveNewToken(ctx: Ctx, tx: Tx, budget: { id: string, clinic_id: string }): Promise<string> {
  const key = { budget_id: budget.id, clinic_id: budget.clinic_id }
  const { token, ...kept } = mintLink(ctx.secrets, key)
  await saveToken(tx, key, { ...kept, token_sealed: ctx.secrets.seal(TOKEN, token) })
  return token
}

/** What a person opens; null before the budget was sent. Staff may copy it again and again. */
export function linkUrl(
  ctx: Ctx,
  link: Pick<LinkRow, 'budget_id' | 'token_hash' | 'token_sealed'> | null
): string | null {
  if (!link?.token_sealed) return null
  const token = Buffer.from(ctx.secrets.open(TOKEN, link.token_sealed)).toString()
  if (!tokenLookUps(ctx.secrets, token).some(kept => link.token_hash?.equals(kept)))
    throw new Error(`the link of budget ${link.budget_id} is not its own: its row was changed past the service`)
  return urlOf(ctx, token)
}

export const urlOf = (ctx: Ctx, token: string): string => ctx.base_url + linkPath(token)

/** The link as staff see it; never the code. */
export function linkState(
  ctx: Ctx,
  { budget, link, now }: { budget: BudgetRow, link: LinkRow | null, now: Date }
): LinkState {
  const url = linkUrl(ctx, link)
  const state = url === null ? 'none' : statusAt(budget, now) === 'sent' ? 'active' : 'closed'
  const lock = link ? lockOf({ link, now }) : { locked: false, locked_until: null }
  return {
    state,
    url,
    has_code: codeOf(ctx.secrets, link) !== null,
    failed_attempts: link?.failed_attempts ?? 0,
    locked: lock.locked,
    locked_until: lock.locked_until?.toISOString() ?? null,
    ...deliveryOf(link)
  }
}

type Delivered = Pick<LinkRow, 'channel' | 'delivery' | 'delivered_via' | 'delivered_at' | 'delivery_error'>

/** What became of the last message. */
export const deliveryOf = (link: { [Name in keyof Delivered]: Delivered[Name] | null } | null) => ({
  channel: link?.channel ?? null,
  delivery: link?.delivery ?? 'none' as const,
  delivered_via: link?.delivered_via ?? null,
  delivered_at: link?.delivered_at?.toISOString() ?? null,
  ...showDeliveryError(link?.delivery_error ?? null)
})
