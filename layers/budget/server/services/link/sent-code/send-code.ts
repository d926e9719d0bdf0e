import { randomUUID } from 'node:crypto'
import { problem, type Client, type Ctx } from '@svc/kit'
import type { SendCodeAnswer } from '../../../../shared/contract.ts'
import { lockOf } from '../../../../shared/domain/lockout.ts'
import { lockHead } from '../../../db/access-log.ts'
import type { FoundLink } from '../../../db/links.ts'
import { saveSentCode } from '../../../db/sent/codes.ts'
import { logAccess } from '../../log/log-access.ts'
import { sentCodeSeal } from '../row-seals.ts'
import { linkLocked } from '../verify-code.ts'
import { findCodeChannel, findCodeRoute } from './code-route.ts'
import { DELIVER_CODE, lineOfCode, type DeliverCode } from './deliver-code.ts'
import { codesOfMessage } from './derive-code.ts'

const VALID_MS = 10 * 60_000
const OTHER = 'This clinic sends no codes by this channel.'

interface Input { found: FoundLink, channel: string, client: Client }

/**
 * Sends the patient a code, which replaces the previous one. Only its hash is stored; the job that sends it derives it
 * again. Throws `validation_failed`, `link_locked`, `same_channel` or `code_unavailable`.
 */
export async function sendCode(ctx: Ctx, { found, channel: name, client }: Input): Promise<SendCodeAnswer> {
  const { budget, link } = found
  const { id: budget_id, clinic_id } = budget
  if ((await findCodeChannel(ctx, clinic_id))?.name !== name)
    throw problem('validation_failed', { errors: [{ pointer: '/channel', message: OTHER }] })
  const { locked_until } = lockOf(found)
  if (locked_until) throw linkLocked(locked_until, found.now)
  const route = await findCodeRoute(ctx, { name, budget })
  if (typeof route === 'string') throw problem(route)
  const sent_to = route.channel.hidden_address!

  const message_id = randomUUID()
  const code_hash = await ctx.secrets.hash(codesOfMessage(ctx, message_id)[0]!)
  const expires_at = await ctx.db.transaction(async (tx) => {
    const head = await lockHead(tx, budget_id)
    if (!head) throw problem('link_not_found')
    const row = {
      budget_id, clinic_id, message_id, channel: name, code_hash, expires_at: new Date(head.now.getTime() + VALID_MS)
    }
    await saveSentCode(tx, { ...row, seal: sentCodeSeal(ctx.secrets, row, link) })
    const job: DeliverCode = { clinic_id, id: budget_id, message_id }
    await ctx.jobs.add(tx, DELIVER_CODE, { ...job }, { key: lineOfCode(message_id) })
    await logAccess(
      ctx,
      tx,
      {
        budget_id,
        action: 'code_sent',
        actor: 'patient',
        client,
        detail: { channel: name, message_id },
        personal: { sent_to }
      },
      head
    )
    return row.expires_at
  })
  return { sent_to, expires_at: expires_at.toISOString() }
}
