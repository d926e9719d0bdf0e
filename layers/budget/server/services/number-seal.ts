import type { Ctx, Tx } from '@svc/kit'
import type { BudgetRow } from '../db/budgets.ts'
import { countFurther, insertRemovedDrafts, numberOf, saveCounterSeal, type Counter, type RemovedDraft } from '../db/numbers.ts'
import type { Macs } from './log-chain.ts'

const COUNTER = 'budget.number'
const REMOVED = 'budget.removed_draft'

const counterText = ({ clinic_id, year, last }: Omit<Counter, 'seal'>) => [clinic_id, year, last].join(' ')
const removedText = ({ budget_id, clinic_id, number, version }: Omit<RemovedDraft, 'seal'>) => [budget_id, clinic_id, number, version].join(' ')

export const counterSeal = (macs: Macs, counter: Omit<Counter, 'seal'>): Buffer => macs.mac(COUNTER, counterText(counter))
export const isCounterSealed = (macs: Macs, counter: Counter): boolean => counter.seal !== null && macs.verifyMac(COUNTER, counterText(counter), counter.seal)
export const removedSeal = (macs: Macs, removed: Omit<RemovedDraft, 'seal'>): Buffer => macs.mac(REMOVED, removedText(removed))
export const isRemovedSealed = (macs: Macs, removed: RemovedDraft): boolean => macs.verifyMac(REMOVED, removedText(removed), removed.seal)

/** The next number of a clinic's year: `PRES-2026-0001`. A counter that was changed keeps a seal that does not hold. */
export async function takeNumber(ctx: Ctx, tx: Tx, key: { clinic_id: string, year: number }): Promise<string> {
  const counter = await countFurther(tx, key)
  const isWhole = counter.seal === null ? counter.last === 1 : isCounterSealed(ctx.secrets, { ...counter, last: counter.last - 1 })
  await saveCounterSeal(tx, key, isWhole ? counterSeal(ctx.secrets, counter) : Buffer.alloc(0))
  return numberOf(counter)
}

/** Says why the number, or the version, of a draft is missing from here on. */
export async function noteRemoved(ctx: Ctx, tx: Tx | Ctx['db'], { draft, removed_by }: { draft: Pick<BudgetRow, 'id' | 'clinic_id' | 'number' | 'version'>, removed_by: string | null }): Promise<void> {
  const removed = { budget_id: draft.id, clinic_id: draft.clinic_id, number: draft.number, version: draft.version }
  await insertRemovedDrafts(tx, [{ ...removed, removed_by, seal: removedSeal(ctx.secrets, removed) }])
}
