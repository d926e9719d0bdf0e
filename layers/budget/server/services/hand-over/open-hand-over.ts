import { problem, type Client, type Ctx } from '@svc/kit'
import { statusAt } from '../../../shared/domain/budget-state.ts'
import { lockHead } from '../../db/access-log.ts'
import { findBudget } from '../../db/budgets.ts'
import { findHandOver, takeHandOver, type HandOverRow } from '../../db/hand-overs.ts'
import { findLink, type LinkRow } from '../../db/links.ts'
import { linkPathOf } from '../link/link-state.ts'
import { writeSession, type OpenedSession } from '../link/open-session.ts'
import { handOverLookUps, isHandOverSealed, isLinkSealed } from '../link/row-seals.ts'

interface Input {
  /** Six digits, or the secret in the QR code. */
  given: string
  by: 'digits_hash' | 'secret_hash'
  client: Client
  /** Charges the limits that count failures. */
  countFailure (): Promise<void>
}

/** `path`: the patient's page, relative to the instance's URL. */
export interface OpenedHandOver extends OpenedSession { path: string, token: string }

/**
 * Opens a session for the budget that was handed over. Throws the same `link_not_found` for unknown, used and expired
 * hand-overs.
 */
export async function openHandOver(ctx: Ctx, { given, by, client, countFailure }: Input): Promise<OpenedHandOver> {
  const found = await findHandOver(ctx.db, handOverLookUps(ctx.secrets, given), by)
  const opened = found && await useOnce(ctx, found, client)
  if (opened) return opened
  // If several devices enter the correct digits at once, the later ones have not guessed.
  if (!found) await countFailure()
  throw problem('link_not_found')
}

async function useOnce(ctx: Ctx, found: HandOverRow, client: Client): Promise<OpenedHandOver | null> {
  const { budget_id, clinic_id, user_id: handed_by } = found
  // Called before the transaction, because the core uses another connection.
  if (!await ctx.users.hasSession(found)) return null
  const link = await findLink(ctx.db, budget_id)
  if (!link || !isWhole(ctx, found, link)) return null
  const path = linkPathOf(ctx, link)!
  return await ctx.db.transaction(async (tx) => {
    const head = await lockHead(tx, budget_id)
    const budget = head && await findBudget(tx, { clinic_id, id: budget_id })
    if (!budget || statusAt(budget, head.now) !== 'sent') return null
    const now = await findLink(tx, budget_id)
    if (!now?.token_hash || !link.token_hash?.equals(now.token_hash) || !await takeHandOver(tx, found)) return null
    const opened = await writeSession(ctx, tx, { budget_id, clinic_id, client, head, link: now, handed_by })
    return { ...opened, path: `${path}?locale=${encodeURIComponent(budget.locale)}`, token: path.split('/').at(-1)! }
  })
}

const isWhole = (ctx: Ctx, row: HandOverRow, link: LinkRow): boolean =>
  isLinkSealed(ctx.secrets, link) && isHandOverSealed(ctx.secrets, row, link)
