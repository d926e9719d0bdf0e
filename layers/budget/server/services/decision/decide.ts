import { randomUUID } from 'node:crypto'
import { problem, type Client, type Ctx, type Tx } from '@svc/kit'
import { hasEnded } from '../../db/access-log.ts'
import type { BudgetRow } from '../../db/budgets.ts'
import { listItems, type ItemRow } from '../../db/items.ts'
import { isSessionLive } from '../../db/sessions.ts'
import { findSignature, insertSignature, type NewSignature } from '../../db/signatures.ts'
import { lockWithTime, markDecided } from '../../db/transitions.ts'
import { codeRequired, type LinkSession } from '../link/find-link.ts'
import { lockStaffBudget } from '../budget/lock-staff-budget.ts'
import { ipHash, logAccess, toMicroseconds } from '../log/log-access.ts'
import type { Agreed } from './agreed-fields.ts'
import { checkDecision } from './check-decision.ts'
import { choose, type ChosenColumns } from './choose.ts'
import { consentText } from './consent-text.ts'
import { assertOpen } from './assert-open.ts'
import { recordSeal } from '../log/record-seal.ts'
import { digestContent } from '../log/content.ts'
import { logRefusal, type Attempt } from '../log/log-refusal.ts'
import { logTampering, type RefusedAction } from '../log/log-tampering.ts'
import { contentAsSent, tampered } from '../log/sent-seal.ts'
import { sessionMark } from '../log/session-mark.ts'

/**
 * Who decides: the patient in a session of the link, the patient in a session that staff handed over in the clinic, or
 * the patient at the desk with a member of staff as witness.
 */
export type Decider
  = | { via: 'remote_link', session: LinkSession }
    | { via: 'in_clinic', session: LinkSession, witness_id: string }
    | { via: 'in_clinic', clinic_id: string, budget_id: string, witness_id: string }

export interface DecisionInput {
  decision: 'accepted' | 'rejected'
  by: Decider
  client: Client
  /** The language of the page; the budget's own when undefined. */
  locale: string | undefined
  /** The digest of what the page showed; compared if given. */
  content_digest?: string | null
  /** The selection in a budget with choices; undefined: omitted. */
  selection?: Record<string, string | null> | null
  /** The fields of the signature record that only this decision has. */
  signature: Pick<NewSignature, 'signer_name'> & Partial<NewSignature>
}

/** A budget that can be decided, locked until the end of the transaction. `now` is the database's time. */
export interface OpenBudget { budget: BudgetRow, now: Date }

/** The facts of a stored decision, for its event and its answer. */
export interface Decided extends Agreed {
  signature_id: string
  /** See `recordSeal`. */ record: string
  decided_at: Date
}

/**
 * Locks the row, then checks session, state and validity by the database's clock: of any number of parallel decisions
 * exactly one finds the budget open. Throws `not_found`, `link_not_found`, `code_required`, `wrong_state`,
 * `already_decided`, `budget_*` or `content_tampered`.
 */
export async function lockOpenBudget(ctx: Ctx, tx: Tx, by: Decider): Promise<OpenBudget> {
  const { budget, now } = await lockFor(tx, by)
  assertOpen(budget, { decision: budget.decided_at && await findSignature(tx, budget.id), now })
  if (await hasEnded(tx, budget.id)) throw tampered(ctx, budget.id) // SQL has reopened it
  return { budget, now }
}

/**
 * Writes signature record, decision and log row of a budget that `lockOpenBudget` has locked. Throws
 * `content_tampered`, `content_changed`, and the problems of `choose` and of guards.
 */
export async function recordDecision(
  ctx: Ctx,
  tx: Tx,
  { budget, now }: OpenBudget,
  input: DecisionInput
): Promise<Decided> {
  const { by, client, decision } = input
  const decided = await writeRecord(ctx, tx, { input, budget, now })
  const { signature_id, record, content_digest } = decided
  const detail = {
    signature_id,
    record,
    ...('session' in by ? { session: sessionMark(by.session.session.session_hash) } : {})
  }
  await logAccess(
    ctx,
    tx,
    { budget_id: budget.id, action: decision, client, ...actorOf(by), detail, personal: { content_digest } },
    { ...budget, now }
  )
  return decided
}

/** The locked budget, if the caller may still decide on it. */
async function lockFor(tx: Tx, by: Decider): Promise<{ budget: BudgetRow, now: Date }> {
  if (!('session' in by)) return await lockStaffBudget(tx, { clinic_id: by.clinic_id, id: by.budget_id })
  const locked = await lockWithTime(tx, by.session.budget.id)
  if (!locked) throw problem('link_not_found')
  if (!await isSessionLive(tx, by.session.session.session_hash)) throw codeRequired(by.session.token)
  return locked
}

async function writeRecord(
  ctx: Ctx,
  tx: Tx,
  { input, budget, now }: OpenBudget & { input: DecisionInput }
): Promise<Decided> {
  const clinic = await ctx.clinics.get(budget.clinic_id, tx)
  const offered = await listItems(tx, budget.id)
  const sent = contentAsSent(ctx, { budget, items: offered, clinic })
  const { items, columns }: { items: ItemRow[], columns: ChosenColumns }
    = input.decision === 'accepted' ? choose(budget, offered, input) : { items: offered, columns: {} }
  const chosen = { ...budget, ...columns }
  const { text, digest } = columns.selection ? digestContent(chosen, offered, clinic.name) : sent
  if (input.content_digest && input.content_digest !== digest) throw problem('content_changed')

  const { client, decision, by, locale = budget.locale } = input
  const agreed = { budget: chosen, items, offered, content_digest: digest }
  await checkDecision(ctx, tx, { ...input, locale }, agreed)
  const record = {
    id: randomUUID(),
    budget_id: budget.id,
    clinic_id: budget.clinic_id,
    decision,
    content: text,
    content_digest: digest,
    ip: clinic.ip_policy === 'none' ? null : clinic.ip_policy === 'hashed' ? ipHash(ctx, client.ip) : client.ip,
    user_agent: client.user_agent,
    witness_id: by.via === 'in_clinic' ? by.witness_id : null,
    decided_at: now,
    time_zone: budget.time_zone,
    locale,
    consent_text: decision === 'accepted' ? consentText(chosen, { locale, clinic_name: clinic.name }) : null,
    patient_id: budget.patient_id,
    author_id: budget.created_by,
    ...input.signature
  }
  await insertSignature(tx, record)
  await markDecided(tx, { budget_id: budget.id, status: decision, via: by.via, now, columns })
  const seal = recordSeal(ctx.secrets, { ...record, decided_via: by.via, decided_at: toMicroseconds(now) })
  const { id: signature_id } = record
  return { ...agreed, signature_id, record: seal, decided_at: now }
}

/** Runs a decision's transaction. A refusal by a guard, or with `content_tampered`, gets a row in the budget's log. */
export async function logUndecided<T>(
  ctx: Ctx,
  { by, decision: action, client }: Pick<DecisionInput, 'by' | 'decision' | 'client'>,
  decide: () => Promise<T>
): Promise<T> {
  const budget_id = 'session' in by ? by.session.budget.id : by.budget_id
  const tried: RefusedAction & Attempt = { budget_id, action, client, ...actorOf(by) }
  return await logTampering(ctx, tried, () => logRefusal(ctx, tried, decide))
}

/** The patient decides in the clinic too; the log names the user who entered it. */
const actorOf = (by: Decider) =>
  'session' in by ? { actor: 'patient' as const } : { actor: 'staff' as const, user_id: by.witness_id }
