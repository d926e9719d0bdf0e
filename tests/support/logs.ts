import { sql } from 'drizzle-orm'
import type { Ctx, Tx } from '@svc/kit'
import { readProof } from '../../layers/budget/server/db/proof.ts'
import { headSeal, rowHash } from '../../layers/budget/server/services/log/log-chain.ts'
import { verifyBudgets, type Verified } from '../../layers/budget/server/services/proof/verify-budgets.ts'
import { verifyCommand } from '../../layers/budget/server/services/proof/verify-command.ts'
import type { Instance } from './instance.ts'

export const budgetCtx = (instance: Instance): Ctx => instance.runtime.host.registry.get('budget')!.ctx

/** Like `svc budgets verify [id]` with options. */
export const verify = (
  instance: Instance,
  id?: string,
  options: Record<string, string | true> = {},
  progress = (_line: string) => {}
) => verifyWith(budgetCtx(instance), { id, options, progress })

/** The same for any `ctx` of budget, its parts in this thread. */
export const verifyWith = async (
  ctx: Ctx,
  { id, options = {}, progress = () => {} }: {
    id?: string
    options?: Record<string, string | true>
    progress?: (line: string) => void
  } = {}
) => await verifyCommand.run(ctx, {
  args: { id },
  options,
  progress,
  runPart: async <Output>(input: unknown) => await verifyCommand.part!(ctx, input) as Output
})

/**
 * Runs the job that creates the signed PDF now. The first one of a process takes longer than a test waits for the
 * queue.
 */
export async function sealNow(instance: Instance, budget_id: string): Promise<void> {
  await instance.runtime.host.registry
    .get('budget')!
    .definition.jobs!['seal-document']!.run({ budget_id }, budgetCtx(instance), { attempt: 1 })
}

/** Makes the rows up to a position this many months older: the chain is computed again as the product would have. */
export async function ageLog(
  instance: Instance,
  budget_id: string,
  { months, upTo = Infinity }: { months: number, upTo?: number }
): Promise<void> {
  const { db, secrets } = budgetCtx(instance)
  await db.transaction(async (tx) => {
    const proof = (await readProof(tx, budget_id))!
    let before = proof.checkpoint?.hash ?? null
    for (const row of proof.rows) {
      const at = row.seq <= upTo ? monthsAgo(row.at, months) : row.at
      const hash = rowHash(secrets, { ...row, at, prev_hash: before })
      await tx.execute(sql`update budget_access_log set at = ${at}::text::timestamptz, prev_hash = decode(${before?.toString('hex') ?? null}::text, 'hex'), hash = decode(${hash.toString('hex')}::text, 'hex') where id = ${row.id}::uuid`)
      before = hash
    }
    const seal = headSeal(secrets, budget_id, proof.budget.log_count, before!)
    await tx.execute(sql`update budget set log_hash = decode(${before!.toString('hex')}::text, 'hex'), log_seal = decode(${seal.toString('hex')}::text, 'hex') where id = ${budget_id}::uuid`)
  })
}

function monthsAgo(at: string, months: number): string {
  const moved = new Date(at)
  moved.setUTCMonth(moved.getUTCMonth() - months, 1)
  return moved.toISOString().replace('Z', '000Z')
}

/** The faults that are found while a change of the database is in effect. The change is rolled back. */
export async function whileChanged(
  ctx: Ctx,
  { which, change }: { which?: { id: string }, change: (tx: Tx) => Promise<unknown> }
): Promise<Verified['findings']> {
  let findings: Verified['findings'] | undefined
  class TakenBack extends Error {}
  await ctx.db
    .transaction(async (tx) => {
      await change(tx)
      findings = (await verifyBudgets({ ...ctx, db: tx }, which)).findings
      throw new TakenBack()
    })
    .catch((error: unknown) => {
      if (!(error instanceof TakenBack)) throw error
    })
  return findings!
}
