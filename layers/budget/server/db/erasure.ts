import { and, asc, eq, inArray, isNotNull, or, sql } from 'drizzle-orm'
import type { Db, Tx } from '@svc/kit'
import { budgetColumns, type BudgetRow } from './budgets.ts'
import { removeHandOver } from './hand-overs.ts'
import { removeAddresses } from './sent/addresses.ts'
import { keptDelivery } from './links.ts'
import {
  budget,
  budgetAccessLog,
  budgetItem,
  budgetLink,
  budgetMessage,
  budgetNotice,
  budgetReminder,
  budgetSession,
  budgetSignature
} from './schema.ts'
import { removeSentCode } from './sent/codes.ts'
import type { SignatureRow } from './signatures.ts'

const ofPatient = ({ clinic_id, id }: { clinic_id: string, id: string }) =>
  and(eq(budget.clinic_id, clinic_id), eq(budget.patient_id, id))

export async function listOfPatient(db: Db | Tx, person: { clinic_id: string, id: string }): Promise<BudgetRow[]> {
  return await db
    .select(budgetColumns)
    .from(budget)
    .where(ofPatient(person))
    .orderBy(asc(budget.number), asc(budget.version))
}

/**
 * Like `listOfPatient`, locked in the order of `lockVersions`, so that concurrent sendings and decisions run before or
 * after.
 */
export async function lockOfPatient(tx: Db | Tx, person: { clinic_id: string, id: string }): Promise<BudgetRow[]> {
  await tx
    .select({ id: budget.id })
    .from(budget)
    .where(ofPatient(person))
    .orderBy(asc(budget.number), asc(budget.version))
    .for('update')
  return await listOfPatient(tx, person)
}

/** The transaction's instant, with microseconds as in `readProof`. */
export async function exactNow(tx: Db | Tx): Promise<string> {
  const [row] = await tx
    .select({ now: sql<string>`to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')` })
    .from(sql`(select) as one`)
  return row!.now
}

/** The triggers of the database allow this once, for a closed version. */
export async function markErased(
  tx: Db | Tx,
  id: string,
  values: Pick<BudgetRow, 'erased_seal' | 'closed_reason' | 'choices' | 'clauses'>
): Promise<void> {
  await tx
    .update(budget)
    .set({
      ...values,
      erased_at: sql`now()`,
      patient_first_name: '',
      patient_last_name: '',
      patient_notes: null,
      deciduous: false,
      internal_notes: null,
      withdrawal_reason: null,
      updated_at: sql`now()`
    })
    .where(eq(budget.id, id))
  await tx
    .update(budgetItem)
    .set({ note: null, notes: null })
    .where(and(eq(budgetItem.budget_id, id), or(isNotNull(budgetItem.note), isNotNull(budgetItem.notes))))
}

export async function emptySignature(
  tx: Db | Tx,
  id: string,
  values: Pick<SignatureRow, 'content' | 'content_digest' | 'evidence_key' | 'evidence_sha256'>
): Promise<void> {
  await tx
    .update(budgetSignature)
    .set({ ...values, signer_name: '', image: null, reason: null, ip: null, user_agent: null })
    .where(eq(budgetSignature.id, id))
}

/** Afterwards the token is unknown and every session has ended. Returns how many links and sessions there were. */
export async function forgetLink(tx: Db | Tx, budget_id: string): Promise<{ links: number, sessions: number }> {
  const links = await tx
    .update(budgetLink)
    .set({
      token_hash: null,
      token_seal: null,
      token_sealed: null,
      short_hash: null,
      short_seal: null,
      short_sealed: null,
      code_hash: null,
      code_seal: null,
      sent_to_sealed: null,
      message_id: null,
      delivery_error: null,
      delivery_reason: null,
      failed_attempts: 0,
      locked_until: null,
      delivery: keptDelivery()
    })
    .where(
      and(
        eq(budgetLink.budget_id, budget_id),
        sql`num_nonnulls(${budgetLink.token_hash}, ${budgetLink.short_hash}, ${budgetLink.code_hash}, ${budgetLink.message_id}, ${budgetLink.delivery_error}, ${budgetLink.sent_to_sealed}) > 0`
      )
    )
    .returning({ budget_id: budgetLink.budget_id })
  await removeHandOver(tx, budget_id)
  await removeAddresses(tx, budget_id)
  await removeSentCode(tx, budget_id)
  const sessions = await tx
    .delete(budgetSession)
    .where(eq(budgetSession.budget_id, budget_id))
    .returning({ budget_id: budgetSession.budget_id })
  return { links: links.length, sessions: sessions.length }
}

/** Ids of messages about these versions that the host may still store. */
export async function messageIdsOf(tx: Db | Tx, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const found = await Promise.all(
    [budgetLink, budgetReminder, budgetNotice].map(table =>
      tx
        .select({ id: table.message_id })
        .from(table)
        .where(and(inArray(table.budget_id, ids), isNotNull(table.message_id)))
    )
  )
  const messages = await tx
    .select({ id: budgetMessage.id })
    .from(budgetMessage)
    .where(inArray(budgetMessage.budget_id, ids))
  return [...new Set([...found.flat(), ...messages].flatMap(({ id }) => id ?? []))]
}

/** Changes only `detail`, and in it only the texts, which the chain does not include. */
export async function saveDetail(tx: Db | Tx, id: string, detail: Record<string, unknown>): Promise<void> {
  await tx.update(budgetAccessLog).set({ detail }).where(eq(budgetAccessLog.id, id))
}
