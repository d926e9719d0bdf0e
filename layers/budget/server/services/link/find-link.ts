import type { Ctx, Db, ModuleRequest } from '@svc/kit'
import { problem } from '@svc/kit'
import { linkPath } from './link-token.ts'
import type { FoundSignedPdf } from '../../db/documents.ts'
import {
  findByToken, findByTokenWithItems, type FoundLink, type LinkHashes, type OpenSession, type SentLines
} from '../../db/links.ts'
import { touchSession } from '../../db/sessions.ts'
import { isLinkSealed, isSessionSealed, tokenLookUps, type SealedLink } from './row-seals.ts'

export const COOKIE = 'budget_session'
/** The minimum interval between two updates of a session's last use. */
const TOUCH_AFTER = 60_000

/** `found` through a link with an open session. */
type Open<Found> = Found & { token: string, session: OpenSession }

/** A patient's open session on one link: `request.session` in endpoints whose access is `linkSession`. */
export type LinkSession = Open<FoundLink>
/** Includes the budget's lines. */
export type ReadingSession = LinkSession & SentLines
/** For requests for the signed copy. */
export type SignedPdfSession = Open<FoundSignedPdf>

/** Throws the same `link_not_found` for unknown, malformed and revoked tokens, after the same statement. */
export async function getLink(ctx: Ctx, token: string): Promise<FoundLink> {
  const found = await findByToken(ctx.db, { token_hashes: tokenLookUps(ctx.secrets, token) })
  if (!found || !isLinkSealed(ctx.secrets, found.link)) throw problem('link_not_found')
  return found
}

/**
 * The `access` of endpoints that need the code. Throws `link_not_found`, then `code_required`; a plain link is
 * redirected to the page instead.
 */
export async function linkSession(request: ModuleRequest, ctx: Ctx): Promise<LinkSession> {
  return await findSession(request, ctx, findByToken)
}

/** The same for requests that read the budget. */
export async function readingSession(request: ModuleRequest, ctx: Ctx): Promise<ReadingSession> {
  return await findSession(request, ctx, findByTokenWithItems)
}

/** Documents the cookie in OpenAPI. */
linkSession.cookie = COOKIE
readingSession.cookie = COOKIE

interface WithSession { link: SealedLink & { code_hash: string | null }, session: OpenSession | null, now: Date }
type Find<Found> = (db: Db, hashes: LinkHashes) => Promise<Found | null>

/**
 * Calls `find` for the link and cookie of the request, and updates the session's last use. Throws `link_not_found`,
 * then `code_required`.
 */
export async function findSession<Found extends WithSession>(
  request: ModuleRequest,
  ctx: Ctx,
  find: Find<Found>
): Promise<Open<Found>> {
  const token = request.params.token ?? ''
  const cookie = request.cookies[COOKIE]
  const found = await find(ctx.db, {
    token_hashes: tokenLookUps(ctx.secrets, token),
    session_hashes: cookie ? tokenLookUps(ctx.secrets, cookie) : undefined
  })
  if (!found || !isLinkSealed(ctx.secrets, found.link)) throw problem('link_not_found')
  if (!found.session || !isSessionSealed(ctx.secrets, found.session, found.link)) throw codeRequired(token)
  const idle = found.now.getTime() - found.session.last_used_at.getTime()
  if (idle > TOUCH_AFTER && !hasNoEffect(request)) await touchSession(ctx.db, found.session.session_hash)
  return { ...found, token, session: found.session }
}

export const toPage = {
  303: 'To the page of the link, where the code is asked for: a browser that followed a plain link without a session.'
}

/** A person who followed a plain link is redirected to the page, which asks for the code. */
export const codeRequired = (token: string) => problem('code_required', { see_other: linkPath(token) })

/** True for HEAD, and for requests that a browser sends in advance. */
export function hasNoEffect(request: Pick<ModuleRequest, 'head' | 'headers'>): boolean {
  return request.head || /prefetch|prerender/.test(request.headers['sec-purpose'] ?? request.headers.purpose ?? '')
}
