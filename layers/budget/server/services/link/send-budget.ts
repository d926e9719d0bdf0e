import { problem, type Client, type Ctx, type Tx } from '@svc/kit'
import { formatMoney } from '@svc/kit/money'
import type { Patient } from '@svc/kit/modules/clinical'
import type { SendAnswer, SendRequest } from '../../../shared/link.ts'
import { lockVersions, type BudgetKey, type BudgetRow } from '../../db/budgets.ts'
import { listItems, updateItemTexts, type ItemRow } from '../../db/items.ts'
import { withdrawMessage } from '../../db/links.ts'
import { settingsOf } from '../../settings.ts'
import { markSent, markSuperseded } from '../../db/transitions.ts'
import { allows, assertAllowed, statusAt } from '../../../shared/domain/budget-state.ts'
import { containsCode } from './code.ts'
import { hasDeciduousTeeth } from '../../../shared/domain/planned-teeth.ts'
import { addDays, dayIn, endOfDay, isOver } from '../../../shared/domain/validity.ts'
import { checkStep } from '../budget/check-step.ts'
import { collectClauses } from '../budget/collect-clauses.ts'
import { findPatient } from '../budget/dependencies.ts'
import { taxModeOf } from '../budget/shown-columns.ts'
import { assertRoute, findRoute, assertMessageFits } from './channel/find-route.ts'
import { queueMessage } from './deliver-link.ts'
import { fixContent } from '../log/fix-content.ts'
import { getStaffBudget } from '../budget/get-staff-budget.ts'
import { saveNewToken, urlOf } from './link-state.ts'
import { logAccess } from '../log/log-access.ts'
import { logRefusal } from '../log/log-refusal.ts'
import { assertUnsent } from '../log/assert-unsent.ts'
import { isTranslated, translateItems } from '../budget/translate-items.ts'
import { publishFact } from '../budget/publish-fact.ts'
import { settleCode, type SettledCode } from './settle-code.ts'

const CHANGED = 'This draft is being changed at the moment. Review it, then send it again.'
const CODE_KEPT = 'The link opens with the code that a person set for this budget. Programs don’t get the code.'
const NO_CODE = 'The link opens once it has a code, and programs don’t get the code. '
  + 'A person creates it on the budget’s page, sees it there, and gives it to the patient.'

interface Input extends BudgetKey, SendRequest { user_id: string, client: Client }

/**
 * Sends a draft in one transaction: sets token, code and validity, supersedes the previous version and queues the
 * message. The generated code is only in the answer; a program gets none, see `settleCode`. Throws `not_found`,
 * `validation_failed`, `wrong_state`, `no_lines`, `no_professional`, `validity_passed`, `no_email`,
 * `channel_not_ready`, `message_contains_code`, `permission_denied`, `content_tampered`, `clauses_failed`,
 * `too_many_clauses`, and the problems of guards.
 */
export async function sendBudget(
  ctx: Ctx,
  { user_id, client, channel, code, message, ...key }: Input
): Promise<SendAnswer> {
  if (code && message && containsCode(message, code)) throw problem('message_contains_code')
  const found = await getStaffBudget(ctx.db, key)
  // Called before the transaction, because other modules use another connection.
  const patient = await findPatient(ctx, found.clinic_id, found.patient_id)
  const possible = await findRoute(ctx, { channel, clinic_id: found.clinic_id, patient })
  const translated = await translateItems(ctx, found, await listItems(ctx.db, found.id))

  const attempt = { budget_id: found.id, action: 'link_sent' as const, actor: 'staff' as const, user_id, client }
  return await logRefusal(ctx, attempt, () => ctx.db.transaction(async (tx) => {
    const versions = await lockVersions(tx, found)
    const budget = versions.find(row => row.id === found.id)
    if (!budget) throw problem('not_found')
    const now = await ctx.clock.now(tx)
    const status = assertAllowed(budget.status, 'send')
    await assertUnsent(ctx, tx, budget)
    if (budget.patient_id !== found.patient_id) throw problem('wrong_state', { detail: CHANGED })
    const stored = await listItems(tx, budget.id)
    if (stored.length === 0) throw problem('no_lines')
    if (!budget.professional_id) throw problem('no_professional')
    const validity = await validityOf(ctx, tx, budget, now)
    const route = assertRoute(possible)
    assertMessageFits(route, message)
    const { locale, currency } = budget
    const fields = { ...taxModeOf(budget), total: formatMoney(budget.total, currency), currency, locale, channel }
    await checkStep(ctx, tx, {
      name: 'budget.send', budget, fields: { ...fields, valid_until: validity.valid_until }
    })

    const items = await keepTranslations(tx, { budget, stored }, translated)
    const settled = await settleCode(ctx, tx, { budget, code, message, user_id, client })
    const token = await saveNewToken(ctx, tx, budget)
    const person = personOf(budget, patient, now)
    const sent = { ...budget, ...validity, ...person }
    const fixed = await fixContent(ctx, tx, { budget: sent, items, clauses: await collectClauses(ctx, tx, sent) })
    await markSent(tx, budget.id, fixed.columns)
    await supersedeOthers(ctx, tx, { versions, budget, now, user_id, client })
    await queueMessage(ctx, tx, { budget, route, kind: 'sent', message })
    await publishFact(ctx, tx, { name: 'budget.sent', budget, fields: { channel, valid_until: validity.valid_until } })
    await logAccess(ctx, tx, {
      ...attempt,
      ...fixed.logged,
      detail: { channel, ...knownTo(settled), ...fixed.logged.detail }
    })
    return { status: status as 'sent', url: urlOf(ctx, token), ...codeFor(client, settled) }
  }))
}

/** The budget's page shows the link, so the person who set the code can know both. */
const knownTo = ({ known_to }: SettledCode): Record<string, string> => known_to ? { known_to } : {}

function codeFor(
  { token_id }: Client,
  { generated, is_set, sent_by }: SettledCode
): Pick<SendAnswer, 'public_code' | 'notice'> {
  if (sent_by) return { notice: `The patient asks for a code on the link’s page, and gets it by the channel ${sent_by}.` }
  if (token_id) return { notice: is_set ? CODE_KEPT : NO_CODE }
  return generated ? { public_code: generated } : {}
}

/** Stores translations with the line that the catalog has gained since the line was added. */
async function keepTranslations(
  tx: Tx,
  { budget, stored }: { budget: BudgetRow, stored: ItemRow[] },
  translated: ItemRow[]
): Promise<ItemRow[]> {
  const known = new Map(translated.map(item => [item.id, item]))
  return await Promise.all(stored.map(async (item) => {
    const other = known.get(item.id)
    if (!other || isTranslated(item, budget.locale) || other.treatment_id !== item.treatment_id) return item
    const { name, description } = other
    await updateItemTexts(tx, { id: item.id, name, description })
    return { ...item, name, description }
  }))
}

async function validityOf(ctx: Ctx, tx: Tx, budget: BudgetRow, now: Date) {
  const { budget_validity_days } = await settingsOf(ctx, budget.clinic_id, tx)
  const valid_until = budget.valid_until ?? addDays(dayIn(budget.time_zone, now), budget_validity_days)
  if (isOver(valid_until, budget.time_zone, now)) throw problem('validity_passed')
  return { valid_until, expires_at: endOfDay(valid_until, budget.time_zone) }
}

/** Name and age from the patient's current record; they don't change after this. */
const personOf = (budget: BudgetRow, patient: Patient | null, now: Date) => ({
  patient_first_name: patient?.first_name ?? budget.patient_first_name,
  patient_last_name: patient?.last_name ?? budget.patient_last_name,
  deciduous: hasDeciduousTeeth(patient?.date_of_birth, dayIn(budget.time_zone, now))
})

interface Replaced { versions: BudgetRow[], budget: BudgetRow, now: Date, user_id: string, client: Client }

/** The version from which this one was revised is superseded, unless it was accepted. */
async function supersedeOthers(ctx: Ctx, tx: Tx, { versions, budget, now, user_id, client }: Replaced): Promise<void> {
  const accepted = versions.find(row => row.status === 'accepted')
  if (accepted)
    throw problem('wrong_state', {
      detail: `Version ${accepted.version} was accepted, which is final. Duplicate it to make a new budget.`
    })
  const replaced = versions.filter(
    row => row.id === budget.revises_id || (row.id !== budget.id && row.status === 'sent')
  )
  for (const old of replaced) {
    if (!allows(statusAt(old, now), 'supersede')) continue
    await markSuperseded(tx, old.id, { by: budget.id, now })
    await withdrawMessage(tx, old.id)
    const detail = { superseded_by_id: budget.id, version: budget.version }
    await logAccess(
      ctx,
      tx,
      { budget_id: old.id, action: 'superseded', actor: 'staff', user_id, client, detail },
      { ...old, now }
    )
    await publishFact(ctx, tx, { name: 'budget.superseded', budget: old, fields: { superseded_by_id: budget.id } })
  }
}
