import type { Ctx, ModuleRequest } from '@svc/kit'
import { problem } from '@svc/kit'
import { linkPath, tokenHash } from '../domain/link-token.ts'
import type { ContentItem } from '../db/items.ts'
import { findByToken, type Besides, type FoundLink } from '../db/links.ts'
import { touchSession } from '../db/sessions.ts'

export const COOKIE = 'budget_session'
/** A session in use is touched at most this often. */
const TOUCH_AFTER = 60_000

/** A patient's open session on one link. `request.session` of the endpoints whose access is `linkSession`. */
export interface LinkSession extends FoundLink {
  token: string
  session: NonNullable<FoundLink['session']>
}
export interface ReadingSession extends LinkSession { items: ContentItem[] }

/** Throws `link_not_found`: for unknown, malformed and revoked tokens alike, after the same statement. */
export async function getLink(ctx: Ctx, token: string): Promise<FoundLink> {
  const found = await findByToken(ctx.db, { token_hash: tokenHash(token) })
  if (!found) throw problem('link_not_found')
  return found
}

/** `access` of what lies behind the code. Throws `link_not_found`, then `code_required`; a plain link goes to the page instead. */
export async function linkSession(request: ModuleRequest, ctx: Ctx): Promise<LinkSession> {
  return await findSession(request, ctx)
}

/** The same for who reads the budget: with its lines. */
export async function readingSession(request: ModuleRequest, ctx: Ctx): Promise<ReadingSession> {
  const found = await findSession(request, ctx, { with_items: true })
  return { ...found, items: found.items! }
}

/** What the OpenAPI document says of them. */
linkSession.cookie = COOKIE
readingSession.cookie = COOKIE

/** Both, with what else is asked for. */
export async function findSession(request: ModuleRequest, ctx: Ctx, besides?: Besides): Promise<LinkSession> {
  const token = request.params.token ?? ''
  const cookie = request.cookies[COOKIE]
  const found = await findByToken(ctx.db, { token_hash: tokenHash(token), session_hash: cookie ? tokenHash(cookie) : undefined, ...besides })
  if (!found) throw problem('link_not_found')
  if (!found.session) throw codeRequired(token)
  const idle = found.now.getTime() - found.session.last_used_at.getTime()
  if (idle > TOUCH_AFTER && !hasNoEffect(request)) await touchSession(ctx.db, found.session.session_hash)
  return { ...found, token, session: found.session }
}

export const toPage = { 303: 'To the page of the link, where the code is asked for: a browser that followed a plain link without a session.' }

/** A person who followed a plain link is sent to the page, where the code is asked for. */
export const codeRequired = (token: string) => problem('code_required', { see_other: linkPath(token) })

/** HEAD, and what a browser fetches in advance without anybody having asked for it. */
export function hasNoEffect(request: Pick<ModuleRequest, 'head' | 'headers'>): boolean {
  return request.head || /prefetch|prerender/.test(request.headers['sec-purpose'] ?? request.headers.purpose ?? '')
}
