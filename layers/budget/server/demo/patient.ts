import type { Client, Ctx } from '@svc/kit'
import { isProblem } from '@svc/kit'
import { findLink } from '../db/links.ts'
import { getLink, readingSession, type ReadingSession } from '../services/link/find-link.ts'
import { linkUrl } from '../services/link/link-state.ts'
import { verifyCode } from '../services/link/verify-code.ts'

/** An address reserved for documentation (RFC 5737). */
export const PATIENT: Client = {
  ip: '203.0.113.24',
  ip_key: '203.0.113.24',
  user_agent: 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36'
}
export const STAFF: Client = { ip: '192.0.2.10', ip_key: '192.0.2.10', user_agent: 'Demo' }

const uncounted = { countFailure: async () => {} }

/** Opens the link like its patient, with the correct code. */
export async function enter(ctx: Ctx, at: { budget_id: string, code: string }): Promise<ReadingSession> {
  const token = await tokenOf(ctx, at.budget_id)
  const { value } = await verifyCode(ctx, { token, code: at.code, client: PATIENT, ...uncounted })
  return await readingSession(
    { params: { token }, cookies: { budget_session: value }, headers: {}, head: false } as unknown as Parameters<
      typeof readingSession
    >[0],
    ctx
  )
}

/** Enters wrong codes until the link locks. */
export async function lockOut(ctx: Ctx, at: { budget_id: string }): Promise<void> {
  const token = await tokenOf(ctx, at.budget_id)
  for (const code of ['0000', '1234', '1111', '4321', '2580']) {
    try {
      await verifyCode(ctx, { token, code, client: PATIENT, ...uncounted })
    } catch (error) {
      if (!isProblem(error)) throw error // wrong codes, and finally the lock, are expected
    }
  }
}

async function tokenOf(ctx: Ctx, budget_id: string): Promise<string> {
  const url = linkUrl(ctx, await findLink(ctx.db, budget_id))
  if (!url) throw new Error(`budget ${budget_id} has no link`)
  const token = url.split('/').at(-1)!
  await getLink(ctx, token)
  return token
}
