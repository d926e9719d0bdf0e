import { randomUUID } from 'node:crypto'
import type { Ctx, HookCtx } from '@svc/kit'
import { findMissingNumbers, insertRemovedDrafts, listCounters, saveCounterSeal } from '../../db/numbers.ts'
import {
  hasSealedContents,
  hasSealedEmptyLogs,
  listUnsealed,
  listUnsealedLogs,
  saveLogSeals,
  saveSealed,
  type SealedRow,
  type Unsealed
} from '../../db/upgrades/upgrade.ts'
import { contentOf, digestContent, type PricedContent } from '../log/content.ts'
import { makeLogRow } from '../log/log-access.ts'
import { headSeal } from '../log/log-chain.ts'
import { counterSeal, removedSeal, sealTotal } from '../log/number-seal.ts'
import { sentSeal } from '../log/sent-seal.ts'
import { holds } from './verify-content.ts'

const FIRST = '00000000-0000-0000-0000-000000000000'
const MAX_MISSING = 1_000_000

/** Releases that did not seal the content. */
const isEarlier = (version: string) => /^0\.[0-3]\./.test(version)
/** These, and the release that did not seal empty logs. */
const isBeforeEmptyLogs = (version: string) => isEarlier(version) || version.startsWith('0.4.')

/**
 * Runs once, in the upgrade: seals what earlier releases sent, counted and deleted, in its current state; ADR 15. If
 * anything has a seal, this has already run, and a row without one was not written by the service.
 */
export async function sealEarlierBudgets(ctx: HookCtx, from_version: string): Promise<void> {
  if (isBeforeEmptyLogs(from_version) && !await hasSealedEmptyLogs(ctx.db)) await sealEmptyLogs(ctx)
  if (!isEarlier(from_version) || await hasSealedContents(ctx.db)) return
  await sealNumbers(ctx)
  let sealed = 0
  for (let after = FIRST; ;) {
    const batch = await listUnsealed(ctx.db, after)
    if (batch.length === 0) break
    const rows = (await Promise.all(batch.map(one => sealOne(ctx, one)))).filter(row => row !== null)
    await saveSealed(ctx.db, rows)
    sealed += rows.length
    after = batch.at(-1)!.budget.id
  }
  ctx.log.info('budget.contents_sealed', { count: sealed })
}

/** Null for a decided budget whose rows differ from the decision: the doctor keeps reporting it. */
async function sealOne(ctx: Ctx, { budget, items, content, now }: Unsealed): Promise<SealedRow | null> {
  const decided = content === null ? null : JSON.parse(content) as PricedContent
  const clinic_name = decided?.clinic.name ?? (await ctx.clinics.get(budget.clinic_id, ctx.db)).name
  const fixed = { ...budget, clinic_name }
  if (decided && !holds(decided, contentOf(fixed, items, clinic_name))) return null
  const { digest } = digestContent(fixed, items, clinic_name)
  const seal = sentSeal(ctx.secrets, { budget: fixed, items, digest })
  const ended = { superseded_by_id: budget.superseded_by_id, cancelled: budget.status === 'cancelled' }
  const detail = { as: 'upgrade', sent: seal.toString('base64url'), ...ended }
  const entry = {
    budget_id: budget.id,
    action: 'link_sent',
    actor: 'system',
    detail,
    personal: { content_digest: digest }
  } as const
  const { row, log_seal } = makeLogRow(ctx, entry, { ...budget, now })
  return { ...row, log_seal, sent_seal: seal, clinic_name }
}

async function sealEmptyLogs(ctx: Ctx): Promise<void> {
  for (let after = FIRST; ;) {
    const ids = await listUnsealedLogs(ctx.db, after)
    if (ids.length === 0) return
    await saveLogSeals(ctx.db, ids.map(id => ({ id, log_seal: headSeal(ctx.secrets, id, 0, null) })))
    after = ids.at(-1)!
  }
}

/** Numbers that are missing now are presumed to be deleted drafts. */
async function sealNumbers(ctx: Ctx): Promise<void> {
  for (const counter of await listCounters(ctx.db))
    await saveCounterSeal(ctx.db, counter, counterSeal(ctx.secrets, counter))
  await sealTotal(ctx)
  const notes = (await findMissingNumbers(ctx.db, MAX_MISSING)).map(missing => ({
    ...missing,
    budget_id: randomUUID(),
    removed_by: null
  }))
  for (let at = 0; at < notes.length; at += 1000) {
    await insertRemovedDrafts(
      ctx.db,
      notes.slice(at, at + 1000).map(note => ({ ...note, seal: removedSeal(ctx.secrets, note) }))
    )
  }
}
