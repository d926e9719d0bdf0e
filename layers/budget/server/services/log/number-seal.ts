import type { Ctx, Tx } from '@svc/kit'
import type { BudgetRow } from '../../db/budgets.ts'
import {
  countCounter,
  countFurther,
  insertRemovedDrafts,
  insertTotal,
  numberOf,
  readTotal,
  saveCounterSeal,
  TOTAL,
  type Counter,
  type RemovedDraft
} from '../../db/numbers.ts'
import type { Macs } from './log-chain.ts'

const COUNTER = 'budget.number'
const REMOVED = 'budget.removed_draft'

const counterText = ({ clinic_id, year, last }: Omit<Counter, 'seal'>) => [clinic_id, year, last].join(' ')
const removedText = ({ budget_id, clinic_id, number, version }: Omit<RemovedDraft, 'seal'>) =>
  [budget_id, clinic_id, number, version].join(' ')

export const counterSeal = (macs: Macs, counter: Omit<Counter, 'seal'>): Buffer =>
  macs.mac(COUNTER, counterText(counter))
export const isCounterSealed = (macs: Macs, counter: Counter): boolean =>
  counter.seal !== null && macs.verifyMac(COUNTER, counterText(counter), counter.seal)
export const removedSeal = (macs: Macs, removed: Omit<RemovedDraft, 'seal'>): Buffer =>
  macs.mac(REMOVED, removedText(removed))
export const isRemovedSealed = (macs: Macs, removed: RemovedDraft): boolean =>
  macs.verifyMac(REMOVED, removedText(removed), removed.seal)

/** The next number of a clinic's year: `PRES-2026-0001`. A counter that was manipulated keeps its invalid seal. */
export async function takeNumber(ctx: Ctx, tx: Tx, key: { clinic_id: string, year: number }): Promise<string> {
  const counter = await countFurther(tx, key)
  const isNew = counter.seal === null && counter.last === 1
  await sealCounter(ctx, tx, { counter, isWhole: isNew || isSealedBefore(ctx, counter) })
  if (isNew) await countNew(ctx, tx)
  return numberOf(counter)
}

/** Counts a new counter. A manipulated or missing count is not corrected, and the doctor reports it. */
async function countNew(ctx: Ctx, tx: Tx): Promise<void> {
  const counter = await countCounter(tx)
  if (counter) await sealCounter(ctx, tx, { counter, isWhole: isSealedBefore(ctx, counter) })
}

const isSealedBefore = (ctx: Ctx, counter: Counter) =>
  isCounterSealed(ctx.secrets, { ...counter, last: counter.last - 1 })

async function sealCounter(
  ctx: Ctx,
  tx: Tx,
  { counter, isWhole }: { counter: Counter, isWhole: boolean }
): Promise<void> {
  await saveCounterSeal(tx, counter, isWhole ? counterSeal(ctx.secrets, counter) : Buffer.alloc(0))
}

/**
 * Runs with the creation of the module's tables, or the upgrade to the release that counts them: from then on, a
 * missing counter is detected.
 */
export async function sealTotal(ctx: Ctx): Promise<void> {
  const total = { ...TOTAL, last: (await readTotal(ctx.db)).counters }
  await insertTotal(ctx.db, { last: total.last, seal: counterSeal(ctx.secrets, total) })
}

/** Adds the note that explains why the number, or the version, of a deleted draft is missing. */
export async function noteRemoved(
  ctx: Ctx,
  tx: Tx | Ctx['db'],
  {
    draft,
    removed_by
  }: { draft: Pick<BudgetRow, 'id' | 'clinic_id' | 'number' | 'version'>, removed_by: string | null }
): Promise<void> {
  const removed = { budget_id: draft.id, clinic_id: draft.clinic_id, number: draft.number, version: draft.version }
  await insertRemovedDrafts(tx, [{ ...removed, removed_by, seal: removedSeal(ctx.secrets, removed) }])
}
