import type { Ctx, Finding } from '@svc/kit'
import {
  findCountersBehind, findMissingNumbers, findMissingVersions, listCounters, listRemovedDrafts, readTotal, type Missing
} from '../../db/numbers.ts'
import { compareWithBackup } from './fault.ts'
import { isCounterSealed, isRemovedSealed } from '../log/number-seal.ts'

/** More would add no information. */
const MAX_FINDINGS = 10_000

const fix = compareWithBackup('the budgets')

/**
 * Numbers are consecutive in a clinic's year, and versions in a number: one that is missing without a sealed note was
 * deleted outside the service.
 */
export async function verifyNumbers(ctx: Ctx): Promise<Finding[]> {
  const missing = await findUnexplained(ctx, [
    ...(await findMissingNumbers(ctx.db, MAX_FINDINGS)),
    ...(await findMissingVersions(ctx.db, MAX_FINDINGS))
  ])
  return [
    ...(await verifyTotal(ctx)),
    ...(await verifyCounters(ctx)),
    ...missing.map(({ number, version }) => ({
      code: 'budget_gone',
      object: `${number} v${version}`,
      message: 'This budget was deleted directly in the database.',
      fix
    }))
  ]
}

const keyOf = ({ clinic_id, number, version }: Missing) => `${clinic_id} ${number} ${version}`

async function findUnexplained(ctx: Ctx, missing: Missing[]): Promise<Missing[]> {
  const notes = await listRemovedDrafts(ctx.db, [...new Set(missing.map(({ number }) => number))])
  const explained = new Set(notes.filter(note => isRemovedSealed(ctx.secrets, note)).map(keyOf))
  return missing.filter(one => !explained.has(keyOf(one)))
}

/** Detects a counter that was deleted together with its clinic's budgets of that year. */
async function verifyTotal(ctx: Ctx): Promise<Finding[]> {
  const { total, counters } = await readTotal(ctx.db)
  const finding = (message: string) => [{ code: 'number_counter_missing', object: 'PRES', message, fix }]
  if (!total) return finding('The row that counts the counters of numbers was deleted directly in the database.')
  if (!isCounterSealed(ctx.secrets, total))
    return finding('The row that counts the counters of numbers was changed directly in the database.')
  if (total.last === counters) return []
  const counts = `Counters of numbers (one for each clinic and year): ${total.last} were made, ${counters} exist`
  return finding(`${counts}. They were changed directly in the database.`)
}

async function verifyCounters(ctx: Ctx): Promise<Finding[]> {
  const changed = (await listCounters(ctx.db)).filter(counter => !isCounterSealed(ctx.secrets, counter))
  const behind = await findCountersBehind(ctx.db)
  return [
    ...changed.map(({ year, last }) => ({ year, message: `The counter of its numbers (${last}) was changed.` })),
    ...behind.map(({ year, last, given }) => ({
      year,
      message: `The counter of its numbers (${last ?? 'none'}) is behind the last one that was given (${given}).`
    }))
  ].map(({ year, message }) => ({ code: 'number_counter_changed', object: `PRES-${year}`, message, fix }))
}
