import type { Gauge } from '@svc/kit'
import { findWaitingCommits } from '../db/waiting-commits.ts'
import { CORE } from '../events/handlers.ts'
import { findLateDelivery, findLateWebhook } from '../events/late.ts'
import type { Host } from '../host.ts'

/** Whether jobs run, and whether commits do: the figures behind `/health`. */
export async function workGauges(
  { database: { sql }, registry, activity }: Pick<Host, 'database' | 'registry' | 'activity'>
): Promise<Gauge[]> {
  const delivery = await findLateDelivery(sql, [CORE, ...registry.modules.map(module => module.name)])
  const webhook = await findLateWebhook(sql)
  const commits = await findWaitingCommits(sql)
  return [
    {
      name: 'svc_worker_idle_seconds',
      help: 'Since the workers of this process took a job or looked for one.',
      value: activity.seconds()
    },
    {
      name: 'svc_outbox_due_seconds',
      help: 'For how long the oldest event or job has been due that nothing works on.',
      value: delivery?.seconds ?? 0
    },
    {
      name: 'svc_webhook_due_seconds',
      help: 'For how long the oldest webhook delivery has been due, of webhooks that nothing works on.',
      value: webhook?.seconds ?? 0
    },
    {
      name: 'svc_database_commits_waiting',
      help: 'Commits that wait for a synchronous standby.',
      value: commits.count
    },
    {
      name: 'svc_database_commit_wait_seconds',
      help: 'For how long the oldest of these commits has waited.',
      value: commits.seconds
    }
  ]
}
