import { problem, type Client, type Ctx } from '@svc/kit'
import type { ResendRequest } from '../../../shared/link.ts'
import { findCodeSetter } from '../../db/access-log.ts'
import type { BudgetKey } from '../../db/budgets.ts'
import { findLink } from '../../db/links.ts'
import { endSessions } from '../../db/sessions.ts'
import { assertAllowed } from '../../../shared/domain/budget-state.ts'
import { findPatient } from '../budget/dependencies.ts'
import { assertRoute, findRoute } from './channel/find-route.ts'
import { queueMessage } from './deliver-link.ts'
import { getStaffBudget } from '../budget/get-staff-budget.ts'
import { findLinkPath, saveNewToken, urlOf } from './link-state.ts'
import { lockStaffBudget } from '../budget/lock-staff-budget.ts'
import { logAccess } from '../log/log-access.ts'
import { publishFact } from '../budget/publish-fact.ts'
import { codeOf } from './row-seals.ts'
import { hasMoved, assertSameAddress } from './address/sent-to.ts'

const FOR_PEOPLE = 'Only a person can confirm the new address, not a token. They do it on the budget’s page.'
const CHANGED = 'The link was changed directly in the database and opens nothing. Send a new link.'

interface Input extends BudgetKey, ResendRequest { user_id: string, client: Client }

/**
 * Sends the message again, with the same link and code, or with a new link: then the old link is unknown and its
 * sessions end. The state stays. Throws `not_found`, `wrong_state`, `no_code`, `no_email`, `channel_not_ready`,
 * `validation_failed`, `address_changed`, and `permission_denied` for a program that confirms an address.
 */
export async function resendLink(
  ctx: Ctx,
  { user_id, client, channel, new_link, confirm_address = false, ...key }: Input
): Promise<{ url: string }> {
  const found = await getStaffBudget(ctx.db, key)
  const patient = await findPatient(ctx, found.clinic_id, found.patient_id)
  const possible = await findRoute(ctx, { channel, clinic_id: found.clinic_id, patient })

  return await ctx.db.transaction(async (tx) => {
    const { budget, now } = await lockStaffBudget(tx, key)
    assertAllowed(budget.status, 'resend')
    const link = await findLink(tx, budget.id)
    const old = findLinkPath(ctx, link)
    if (old === null) throw problem('wrong_state', { detail: 'This budget was never sent, so it has no link.' })
    if (old === 'changed' && !new_link) throw problem('wrong_state', { detail: CHANGED })
    if (!link || !codeOf(ctx.secrets, link)) throw problem('no_code')
    const route = assertRoute(possible)
    const { to, label } = route
    const addressee = { channel, to, updated_at: patient?.updated_at ?? '' }
    const is_new_address = await hasMoved(ctx, tx, link, addressee)
    if (confirm_address && client.token_id) throw problem('permission_denied', { detail: FOR_PEOPLE })
    if (to !== null && !confirm_address)
      await assertSameAddress(ctx, tx, link, { ...addressee, to, label, token_id: client.token_id })

    const url = new_link ? await mintAgain() : ctx.base_url + old
    // A patient whom no message reached gets a first message instead of a reminder.
    await queueMessage(ctx, tx, { budget, route, kind: link.delivery === 'failed' ? 'sent' : 'again' })
    await publishFact(ctx, tx, {
      name: 'budget.reminder_sent',
      budget,
      fields: { channel, sent_at: now.toISOString() }
    })
    await logAccess(ctx, tx, {
      budget_id: budget.id,
      action: 'link_resent',
      actor: 'staff',
      user_id,
      client,
      detail: {
        channel,
        new_link,
        ...is_new_address ? { confirmed_address: true } : {},
        ...new_link ? await knownTo() : {}
      }
    })
    return { url }

    async function knownTo(): Promise<Record<string, string>> {
      const known_to = await findCodeSetter(tx, budget.id)
      return known_to ? { known_to } : {}
    }

    async function mintAgain(): Promise<string> {
      const token = await saveNewToken(ctx, tx, budget)
      await endSessions(tx, budget.id)
      return urlOf(ctx, token)
    }
  })
}
