import type { Ctx, Finding } from '@svc/kit'
import { findCountersBehind, findMissingNumbers, findMissingVersions, listCounters, listRemovedDrafts, type Missing } from '../db/numbers.ts'
import { compareWithBackup } from './fault.ts'
import { isCounterSealed, isRemovedSealed } from './number-seal.ts'

/** More would say nothing new. */
const MOST = 10_000

const fix = compareWithBackup('the budgets')

/** Numbers are consecutive in a clinic's year, and versions in a number: what is missing without a note of ours was deleted past the service. */
export async function verifyNumbers(ctx: Ctx): Promise<Finding[]> {
  const missing = await findUnexplained(ctx, [...await findMissingNumbers(ctx.db, MOST), ...await findMissingVersions(ctx.db, MOST)])
  return [
    ...await verifyCounters(ctx),
    ...missing.map(({ number, version }) => ({ code: 'budget_gone', object: `${number} v${version}`, message: 'This budget was deleted directly in the database.', fix }))
  ]
}

const keyOf = ({ clinic_id, number, version }: Missing) => `${clinic_id} ${number} ${version}`

async function findUnexplained(ctx: Ctx, missing: Missing[]): Promise<Missing[]> {
  const notes = await listRemovedDrafts(ctx.db, [...new Set(missing.map(({ number }) => number))])
  const explained = new Set(notes.filter(note => isRemovedSealed(ctx.secrets, note)).map(keyOf))
  return missing.filter(one => !explained.has(keyOf(one)))
}

async function verifyCounters(ctx: Ctx): Promise<Finding[]> {
  const changed = (await listCounters(ctx.db)).filter(counter => !isCounterSealed(ctx.secrets, counter))
  const behind = await findCountersBehind(ctx.db)
  return [...changed.map(({ year, last }) => ({ year, message: `The counter of its numbers (${last}) was changed.` })),
    ...behind.map(({ year, last, given }) => ({ year, message: `The counter of its numbers (${last ?? 'none'}) is behind the last one that was given (${given}).` }))]
    .map(({ year, message }) => ({ code: 'number_counter_changed', object: `PRES-${year}`, message, fix }))
}
