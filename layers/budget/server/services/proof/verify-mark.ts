import { randomInt } from 'node:crypto'
import type { Ctx } from '@svc/kit'
import type { Range } from '../../db/proof.ts'
import { findMark, removeMark, saveMark } from '../../db/verify-mark.ts'
import { newSum, type Verified } from './verify-budgets.ts'

/** The options of a run over many budgets. */
export interface Scope { /** ISO 8601. */ since: string | null, /** 0 to 1. */ sample: number | null }

/** A run, its progress, and its findings so far. */
export interface Run {
  scope: Scope
  started_at: string
  /** Selects the sample: unpredictable before the run, and the same after an interruption. */
  seed: number
  after: string
  sum: Verified
}

const PURPOSE = 'budget.verify_mark'
const WEEK = 7 * 24 * 60 * 60 * 1000
const FIRST = '00000000-0000-0000-0000-000000000000'

/** One mark for each kind of run, so that a nightly run with `--since` does not overwrite that of a long one. */
const idOf = ({ since, sample }: Scope) => 1 + (since === null ? 0 : 1) + (sample === null ? 0 : 2)

export const rangeOf = ({ scope: { since, sample }, seed, after }: Run): Range => ({
  after,
  ...since === null ? {} : { since },
  ...sample === null ? {} : { sample: { share: sample, seed } }
})

/** The unfinished run with the same scope that began within the last week, or a new one. */
export async function openRun(ctx: Ctx, { scope, restart }: { scope: Scope, restart: boolean }): Promise<Run> {
  const now = await ctx.clock.now()
  const fresh: Run = { scope, started_at: now.toISOString(), seed: randomInt(2 ** 47), after: FIRST, sum: newSum() }
  const row = restart ? null : await findMark(ctx.db, idOf(scope))
  if (!row) return fresh
  if (!ctx.secrets.verifyMac(PURPOSE, row.state, row.seal))
    return { ...fresh, sum: { ...fresh.sum, findings: [MARK_CHANGED] } }
  const run = JSON.parse(row.state) as Run
  const isSame = run.scope.since === scope.since && run.scope.sample === scope.sample
  return isSame && now.getTime() - Date.parse(run.started_at) < WEEK ? run : fresh
}

export async function markRun(ctx: Ctx, run: Run): Promise<void> {
  const state = JSON.stringify(run)
  await saveMark(ctx.db, { id: idOf(run.scope), state, seal: ctx.secrets.mac(PURPOSE, state) })
}

export const endRun = async (ctx: Ctx, { scope }: Run): Promise<void> => await removeMark(ctx.db, idOf(scope))

const MARK_CHANGED = {
  code: 'verify_mark_changed',
  object: 'svc budgets verify',
  message:
    'The mark of an unfinished run was changed directly in the database. The run began again from the first budget.',
  fix: 'Find out who can write to the database, then run the command again.'
}
