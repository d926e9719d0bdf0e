import type { Ctx } from '@svc/kit'
import { listItems } from '../db/items.ts'
import { saveCode } from '../db/links.ts'
import type { BudgetRow } from '../db/budgets.ts'
import { addDays, dayIn, endOfDay } from '../../shared/domain/validity.ts'
import { acceptBudget } from '../services/decision/accept-budget.ts'
import { cancelBudget } from '../services/draft/cancel-budget.ts'
import { askQuestion } from '../services/messages/ask-question.ts'
import { expireBudgets } from '../services/draft/expire-budgets.ts'
import { fixContent } from '../services/log/fix-content.ts'
import { saveNewToken } from '../services/link/link-state.ts'
import { logAccess } from '../services/log/log-access.ts'
import { priceByLink } from '../services/decision/price-selection.ts'
import type { ReadingSession } from '../services/link/find-link.ts'
import { patchBudget } from '../services/draft/patch-budget.ts'
import { collectClauses } from '../services/budget/collect-clauses.ts'
import { publishFact } from '../services/budget/publish-fact.ts'
import { rejectBudget } from '../services/decision/reject-budget.ts'
import { reviseBudget } from '../services/draft/revise-budget.ts'
import { hashCode } from '../services/link/row-seals.ts'
import { sendBudget } from '../services/link/send-budget.ts'
import { viewBudgetByLink } from '../services/link/view-budget-by-link.ts'
import { enter, lockOut, PATIENT, STAFF } from './patient.ts'
import { markSentBefore } from './rows.ts'
import { DEMO_CODE, type Ending } from './stories.ts'

interface At { budget: BudgetRow, clinic_id: string, user_id: string }

/** Moves a draft to the end of its story, with the same services as in production. */
export const ENDINGS: Record<Ending, (ctx: Ctx, at: At) => Promise<void>> = {
  draft: async () => {},
  unassigned_draft: async () => {},
  sent: (ctx, at) => send(ctx, at),
  mailed: (ctx, at) => send(ctx, at, 'email'),
  async viewed(ctx, at) {
    await send(ctx, at)
    await view(ctx, at)
  },
  async asked(ctx, at) {
    await send(ctx, at)
    const session = await view(ctx, at)
    const text = '¿Cuánto dura un implante, y puedo pagar el tratamiento en dos partes?'
    await askQuestion(ctx, { session, client: PATIENT, text })
  },
  async locked(ctx, at) {
    await send(ctx, at)
    await lockOut(ctx, { budget_id: at.budget.id })
  },
  async accepted(ctx, at) {
    await sendBefore(ctx, at)
    const session = await view(ctx, at)
    const { scribble } = await import('./scribble.ts') // the drawing library is only loaded here
    const signature = { method: 'drawn' as const, image: scribble() }
    await acceptBudget(ctx, {
      signer_name: nameOf(at.budget),
      relationship: 'patient',
      signature,
      consent: true,
      ...(await chooseMinimum(ctx, at.budget, session)),
      by: { via: 'remote_link', session },
      client: PATIENT,
      locale: undefined
    })
  },
  async accepted_in_clinic(ctx, at) {
    await sendBefore(ctx, at)
    await acceptBudget(ctx, {
      signer_name: 'Carla Ybarra Soto',
      relationship: 'guardian',
      signature: { method: 'click' },
      consent: true,
      by: inClinic(at),
      client: STAFF,
      locale: undefined
    })
  },
  async accepted_in_person(ctx, at) {
    await sendBefore(ctx, at)
    await acceptBudget(ctx, {
      signer_name: nameOf(at.budget),
      relationship: 'patient',
      signature: { method: 'typed' },
      consent: true,
      by: inClinic(at),
      client: STAFF,
      locale: undefined
    })
  },
  async rejected(ctx, at) {
    await sendBefore(ctx, at)
    const session = await view(ctx, at)
    await rejectBudget(ctx, {
      reason: 'Me gustaría hacerlo, pero ahora mismo no puedo permitírmelo. ¿Hay otra opción más económica?',
      reason_code: 'price',
      by: { via: 'remote_link', session },
      client: PATIENT,
      locale: undefined
    })
  },
  async rejected_in_clinic(ctx, at) {
    await sendBefore(ctx, at)
    await rejectBudget(ctx, {
      reason: 'Prefiere pedir una segunda opinión.',
      reason_code: 'second_opinion',
      by: inClinic(at),
      client: STAFF,
      locale: undefined
    })
  },
  async expired(ctx, at) {
    await sendBefore(ctx, at, -10)
    await expireBudgets(ctx)
  },
  async cancelled(ctx, at) {
    await sendBefore(ctx, at)
    await cancelBudget(ctx, { ...keyOf(at), user_id: at.user_id, reason: 'El paciente se muda a otra ciudad.' })
  },
  async superseded(ctx, at) {
    await send(ctx, at)
    const next = await reviseBudget(ctx, { ...keyOf(at), user_id: at.user_id })
    await patchBudget(ctx, {
      clinic_id: at.clinic_id,
      id: next.id,
      if_match: undefined,
      change: { global_discount: { type: 'percent', value: '12' } }
    })
    await send(ctx, { ...at, budget: next })
  }
}

/** Chooses the first option where one is required, and nothing else. */
async function chooseMinimum(ctx: Ctx, { choices }: BudgetRow, session: ReadingSession) {
  if (!choices) return {}
  const selection = Object.fromEntries(
    choices.map(({ id, rule, options }) => [id, rule === 'exactly_one' ? options[0]!.id : null])
  )
  const { content_digest } = await priceByLink(ctx, { session, selection, client: PATIENT, locale: undefined })
  return { selection, content_digest }
}

const keyOf = ({ clinic_id, budget }: At) => ({ clinic_id, id: budget.id })
const nameOf = ({ patient_first_name, patient_last_name }: BudgetRow) => `${patient_first_name} ${patient_last_name}`
const inClinic = ({ clinic_id, budget, user_id }: At) => ({
  via: 'in_clinic' as const,
  clinic_id,
  budget_id: budget.id,
  witness_id: user_id
})

async function send(ctx: Ctx, at: At, channel: 'manual' | 'email' = 'manual'): Promise<void> {
  await sendBudget(ctx, { ...keyOf(at), user_id: at.user_id, client: STAFF, channel, code: DEMO_CODE })
}

async function view(ctx: Ctx, { budget }: At) {
  const session = await enter(ctx, { budget_id: budget.id, code: DEMO_CODE })
  await viewBudgetByLink(ctx, { session, client: PATIENT, locale: undefined, no_effect: false })
  return session
}

/**
 * Sets what `sendBudget` would have written on the day after the creation. It is the only step that the services cannot
 * do, because it is in the past.
 */
async function sendBefore(ctx: Ctx, { budget, user_id }: At, days_left = 30): Promise<void> {
  const key = { budget_id: budget.id, clinic_id: budget.clinic_id }
  const code = await hashCode(ctx.secrets, key, DEMO_CODE)
  await ctx.db.transaction(async (tx) => {
    const valid_until = addDays(dayIn(budget.time_zone, await ctx.clock.now(tx)), days_left)
    const dated = { ...budget, valid_until, expires_at: endOfDay(valid_until, budget.time_zone) }
    const [items, clauses] = [await listItems(tx, budget.id), await collectClauses(ctx, tx, dated)]
    const fixed = await fixContent(ctx, tx, { budget: dated, items, clauses })
    await markSentBefore(tx, budget.id, fixed.columns)
    await saveCode(tx, key, code)
    await saveNewToken(ctx, tx, budget)
    await publishFact(ctx, tx, { name: 'budget.sent', budget, fields: { channel: 'manual', valid_until } })
    await logAccess(ctx, tx, {
      budget_id: budget.id,
      action: 'link_sent',
      actor: 'staff',
      user_id,
      client: STAFF,
      ...fixed.logged,
      detail: { channel: 'manual', ...fixed.logged.detail }
    })
  })
}
