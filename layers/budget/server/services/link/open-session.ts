import type { Client, Ctx, Tx } from '@svc/kit'
import { mintToken, tokenHash } from './link-token.ts'
import { clearFailures } from '../../db/links.ts'
import { takeSentCode, type SentCodeRow } from '../../db/sent/codes.ts'
import { IDLE_SECONDS, insertSession } from '../../db/sessions.ts'
import { lockHead, type SeenHead } from '../../db/access-log.ts'
import { logAccess } from '../log/log-access.ts'
import { digestLookUp, sessionSeal, type OpenedBy } from './row-seals.ts'
import { sessionMark } from '../log/session-mark.ts'

/** `value` is the cookie's; the database stores only a MAC over its hash. */
export interface OpenedSession { value: string, session_expires_at: Date }

interface SessionInput { budget_id: string, clinic_id: string, client: Client }
/** The code that was right: the link's own, or one that a channel brought. */
type RightCode = { code_hash: string, sent?: undefined } | { code_hash?: undefined, sent: SentCodeRow }

/**
 * After a correct code: starts a new epoch and opens a session. Null if the code was changed or used while it was
 * compared.
 */
export async function openSession(
  ctx: Ctx,
  { budget_id, clinic_id, client, code_hash, sent }: SessionInput & RightCode
): Promise<OpenedSession | null> {
  return await ctx.localTransaction(async (tx) => {
    const head = await lockHead(tx, budget_id) // locks the budget before its link, as everywhere
    if (!head || (sent && !await takeSentCode(tx, sent))) return null
    const link = await clearFailures(tx, { budget_id, ...code_hash === undefined ? {} : { code_hash } })
    if (!link) return null
    const channel = sent?.channel ?? null
    return await writeSession(ctx, tx, { budget_id, clinic_id, client, head, link, handed_by: null, channel })
  })
}

interface New {
  budget_id: string
  clinic_id: string
  client: Client
  /** Of the locked budget. */ head: SeenHead
  /** The session ends when this changes. */ link: OpenedBy
  /** The member of staff who handed the budget over in the clinic. */ handed_by: string | null
  /** The channel that brought the code. */ channel?: string | null
}

/** Adds a session and its log row. */
export async function writeSession(
  ctx: Ctx,
  tx: Tx,
  { budget_id, clinic_id, client, head, link, handed_by, channel = null }: New
): Promise<OpenedSession> {
  const value = mintToken()
  const session = {
    session_hash: digestLookUp(ctx.secrets, tokenHash(value)),
    budget_id,
    clinic_id,
    created_at: head.now,
    handed_by
  }
  await insertSession(tx, { ...session, seal: sessionSeal(ctx.secrets, session, link) })
  const detail = {
    session: sessionMark(session.session_hash),
    ...handed_by === null ? {} : { handed_by },
    ...channel === null ? {} : { channel }
  }
  await logAccess(ctx, tx, { budget_id, action: 'verify', actor: 'patient', client, detail }, head)
  return { value, session_expires_at: new Date(head.now.getTime() + IDLE_SECONDS * 1000) }
}
