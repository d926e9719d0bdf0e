import { problem, type Ctx } from '@svc/kit'
import { findByShort } from '../../db/links.ts'
import { isLinkSealed, isShortSealed, shortLookUps } from '../link/row-seals.ts'
import { linkPathOf } from '../link/link-state.ts'
import { readShortCode } from '../link/short-code.ts'

interface Input {
  /** As typed. */
  code: string
  /** Charges the limits that count failures. */
  countFailure (): Promise<void>
}

/**
 * The page of a short address, relative to the instance's URL. Throws the same `link_not_found` for unknown, malformed
 * and expired ones, after the same statement.
 */
export async function openShortAddress(ctx: Ctx, { code, countFailure }: Input): Promise<{ path: string }> {
  const link = await findByShort(ctx.db, shortLookUps(ctx.secrets, readShortCode(code)))
  const isWhole = link !== null && isShortSealed(ctx.secrets, link) && isLinkSealed(ctx.secrets, link)
  const path = isWhole ? linkPathOf(ctx, link) : null
  if (path) return { path }
  await countFailure()
  throw problem('link_not_found')
}
