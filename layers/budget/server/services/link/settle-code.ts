import { problem, type Client, type Ctx, type Tx } from '@svc/kit'
import type { BudgetRow } from '../../db/budgets.ts'
import { findLink, saveCode } from '../../db/links.ts'
import { codeCandidates, containsCode, generateCode } from './code.ts'
import { logAccess } from '../proof/log-access.ts'
import { codeOf, hashCode } from './row-seals.ts'

interface Input {
  budget: BudgetRow
  code: string | null | undefined
  message: string | null | undefined
  user_id: string
  client: Client
}

/** Comparing with a slow hash costs a tenth of a second each. */
const MOST_CANDIDATES = 60

/**
 * The code that the link will have: the given one, else the draft's own, else a generated one, which is returned.
 * Throws `message_contains_code`, also when only the hash of the draft's code is known.
 */
export async function settleCode(
  ctx: Ctx,
  tx: Tx,
  { budget, code, message, user_id, client }: Input
): Promise<string | null> {
  const known = codeOf(ctx.secrets, await findLink(tx, budget.id))
  if (!code && known) {
    if (message) await mustNotContain(ctx, message, known)
    return null
  }
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
  return generated
}

/** Never one that the message happens to hold, such as a part of a phone number. */
function generateFor(message: string | null | undefined): string {
  for (;;) {
    const code = generateCode()
    if (!message || !containsCode(message, code)) return code
  }
}

const TOO_MANY_NUMBERS
  = 'We can’t check that the code isn’t in the message, because it has too many numbers. Remove some.'

async function mustNotContain(ctx: Ctx, message: string, code_hash: string): Promise<void> {
  const candidates = codeCandidates(message)
  if (candidates.length > MOST_CANDIDATES) {
    throw problem('validation_failed', { errors: [{ pointer: '/message', message: TOO_MANY_NUMBERS }] })
  }
  for (const candidate of candidates) {
    if (await ctx.secrets.verify(candidate, code_hash)) throw problem('message_contains_code')
  }
}
