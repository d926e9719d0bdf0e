import { eventually } from '../../support/builders.ts'
import { proofs } from '../../../layers/budget/server/db/proof.ts'
import type { Scenario } from './world.ts'

/** A task of the core, run by its worker. */
const task = (name: string): Scenario => async ({ sql }) => {
  const [{ id }] = await sql`select (graphile_worker.add_job(${name})).id::text as id` as [{ id: string }]
  await eventually(
    async () => (await sql`select 1 from graphile_worker.jobs where id = ${id}::bigint`).length === 0,
    `the task ${name}`
  )
}

/** A job of a module, as its delivery runs it. */
const job = (module: string, name: string): Scenario => async ({ runtime }) => {
  const { definition, ctx } = runtime.host.registry.get(module)!
  await definition.jobs![name]!.run({}, ctx, { attempt: 1 })
}

export const core: Record<string, Scenario> = {
  'worker: sweep': task('sweep'),
  'worker: prune': task('prune'),
  'worker: prune again': task('prune'),
  'GET /metrics': async ({ runtime }) => runtime.host.metrics.text(runtime.host)
}

export const jobs: Record<string, Scenario> = {
  'job budget expire': job('budget', 'expire'),
  'job budget send-reminders': job('budget', 'send-reminders'),
  'job budget remove-old-sessions': job('budget', 'remove-old-sessions'),
  'job budget fold-counts': job('budget', 'fold-counts'),
  async 'job budget trim-logs'(world) {
    // One of the clinics keeps its logs for a term that is over for some.
    await world.sql`update core_clinic set retention = retention || '{"access_log_months":35}' where id = ${world.small.id}`
    await job('budget', 'trim-logs')(world)
  },
  async 'svc budgets verify: three batches'({ runtime }) {
    let seen = 0
    for await (const _ of proofs(runtime.host.db)) if (++seen === 600) break
  },
  async 'svc modules doctor: invoices'({ runtime }) {
    const { definition, ctx } = runtime.host.registry.get('billing')!
    await definition.doctor!(ctx)
  }
}
