import { eventually } from '../../support/builders.ts'
import { proofs } from '../../../layers/budget/server/db/proof.ts'
import { CORE } from '../../../server/core/core-module.ts'
import { addTick } from '../../../server/core/events/publish.ts'
import { findDueLines } from '../../../server/core/events/wake.ts'
import { findDueWebhooks } from '../../../server/core/webhooks/queue.ts'
import type { Scenario } from './world.ts'

/** A job of the core, delivered by its worker. */
const task = (name: string): Scenario => async ({ runtime: { host }, sql }) => {
  await addTick(host.db, { module: CORE, name })
  await eventually(
    async () => (await sql`select 1 from core_delivery where module_name = ${CORE} and name = ${name} and status = 'pending'`).length === 0,
    `the job ${name}`
  )
}

/** A job of a module, as its delivery runs it. */
const job = (module: string, name: string): Scenario => async ({ runtime }) => {
  const { definition, ctx } = runtime.host.registry.get(module)!
  await definition.jobs![name]!.run({}, ctx, { attempt: 1 })
}

export const core: Record<string, Scenario> = {
  async 'worker: look'({ runtime: { host } }) {
    await findDueLines(host.db, [CORE, ...host.registry.modules.map(module => module.name)], 1000)
    await findDueWebhooks(host.db)
  },
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
    // One clinic has a retention period for its logs that has ended for some of them.
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
