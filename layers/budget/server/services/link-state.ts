import type { Ctx } from '@svc/kit'
import type { LinkState } from '../../shared/contract.ts'
import type { BudgetRow } from '../db/budgets.ts'
import type { LinkRow } from '../db/links.ts'
import { statusAt } from '../domain/budget-state.ts'
import { showDeliveryError } from '../domain/delivery-error.ts'
import { linkPath } from '../domain/link-token.ts'
import { lockOf } from '../domain/lockout.ts'

/** Purpose under which tokens are sealed. */
const TOKEN = 'budget.token'

export const sealToken = (ctx: Ctx, token: string): string => ctx.secrets.seal(TOKEN, token)

/** What a person opens; null before the budget was sent. Staff may copy it again and again. */
export function linkUrl(ctx: Ctx, link: Pick<LinkRow, 'token_sealed'> | null): string | null {
  if (!link?.token_sealed) return null
  return urlOf(ctx, Buffer.from(ctx.secrets.open(TOKEN, link.token_sealed)).toString())
}

export const urlOf = (ctx: Ctx, token: string): string => ctx.base_url + linkPath(token)

/** The link as staff see it; never the code. */
export function linkState(ctx: Ctx, { budget, link, now }: { budget: BudgetRow, link: LinkRow | null, now: Date }): LinkState {
  const url = linkUrl(ctx, link)
  const state = url === null ? 'none' : statusAt(budget, now) === 'sent' ? 'active' : 'closed'
  const lock = link ? lockOf({ link, now }) : { locked: false, locked_until: null }
  return {
    state,
    url,
    has_code: Boolean(link?.code_hash),
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
