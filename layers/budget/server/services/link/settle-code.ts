import { problem, type Client, type Ctx, type Tx } from '@svc/kit'
import type { BudgetRow } from '../../db/budgets.ts'
import { findCodeSetter } from '../../db/access-log.ts'
import { findLink, saveCode } from '../../db/links.ts'
import { codeCandidates, containsCode, generateCode } from './code.ts'
import { logAccess } from '../log/log-access.ts'
import { codeOf, hashCode } from './row-seals.ts'
import { findCodeChannel } from './sent-code/code-route.ts'

interface Input {
  budget: BudgetRow
  code: string | null | undefined
  message: string | null | undefined
  user_id: string
  client: Client
}

/** Each comparison with the slow hash takes a tenth of a second. */
const MAX_CANDIDATES = 60

const FOR_PEOPLE = 'Only a person can choose the code, not a token. They set it on the budget’s page.'

/**
 * `generated`: shown once. `known_to`: the person who set the code, and so can know both code and link. `sent_by`: the
 * channel that brings the patient a code of their own.
 */
export interface SettledCode {
  generated: string | null
  known_to: string | null
  is_set: boolean
  sent_by?: string
}

/**
 * The code of the link: the given one, otherwise the draft's own, otherwise a generated one, which is returned. For a
 * program none is returned: it has the link, and with the code it could decide for the patient. Throws
 * `message_contains_code`, even if only the hash of the draft's code is stored, and `permission_denied`.
 */
export async function settleCode(
  ctx: Ctx,
  tx: Tx,
  { budget, code, message, user_id, client }: Input
): Promise<SettledCode> {
  if (code && client.token_id) throw problem('permission_denied', { detail: FOR_PEOPLE })
  const known = codeOf(ctx.secrets, await findLink(tx, budget.id))
  if (!code && known) {
    if (message) await assertCodeNotIn(ctx, message, known)
    return { generated: null, known_to: await findCodeSetter(tx, budget.id), is_set: true }
  }
  const by = await findCodeChannel(ctx, budget.clinic_id, tx)
  if (by && (client.token_id || (by.only && !code))) return await settleUnknown(ctx, tx, { budget, sent_by: by.name })
  if (client.token_id) return { generated: null, known_to: null, is_set: false }
  const generated = code ? null : generateFor(message)
  const key = { budget_id: budget.id, clinic_id: budget.clinic_id }
  await saveCode(tx, key, await hashCode(ctx.secrets, key, code ?? generated!))
  await logAccess(ctx, tx, {
    budget_id: budget.id,
    action: 'code_set',
    actor: 'staff',
    user_id,
    client,
    detail: { generated: generated !== null }
  })
  return { generated, known_to: user_id, is_set: true }
}

/** A code that is never shown, because each link needs one. The patient requests another one by the channel. */
async function settleUnknown(
  ctx: Ctx,
  tx: Tx,
  { budget, sent_by }: { budget: BudgetRow, sent_by: string }
): Promise<SettledCode> {
  const key = { budget_id: budget.id, clinic_id: budget.clinic_id }
  await saveCode(tx, key, await hashCode(ctx.secrets, key, generateCode()))
  await logAccess(ctx, tx, {
    budget_id: budget.id,
    action: 'code_set',
    actor: 'system',
    detail: { generated: true, channel: sent_by }
  })
  return { generated: null, known_to: null, is_set: true, sent_by }
}

/** Never a code that the message contains, for instance as part of a phone number. */
function generateFor(message: string | null | undefined): string {
  for (;;) {
    const code = generateCode()
    if (!message || !containsCode(message, code)) return code
  }
}

const TOO_MANY_NUMBERS
  = 'We can’t check that the code isn’t in the message, because it has too many numbers. Remove some.'

async function assertCodeNotIn(ctx: Ctx, message: string, code_hash: string): Promise<void> {
  const candidates = codeCandidates(message)
  if (candidates.length > MAX_CANDIDATES) {
    throw problem('validation_failed', { errors: [{ pointer: '/message', message: TOO_MANY_NUMBERS }] })
  }
  for (const candidate of candidates) {
    if (await ctx.secrets.verify(candidate, code_hash)) throw problem('message_contains_code')
  }
}
