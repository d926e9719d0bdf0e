import type { Gauge } from '@svc/kit'
import { findWaitingCommits } from '../db/waiting-commits.ts'
import { CORE } from '../core-module.ts'
import { findLateDelivery, findLateWebhook } from './late-work.ts'
import type { Host } from '../host.ts'

/** Whether jobs and commits make progress: the figures behind `/health`. */
export async function workGauges(
  { database: { sql }, registry, activity, troubles }: Pick<Host, 'database' | 'registry' | 'activity' | 'troubles'>
): Promise<Gauge[]> {
  const delivery = await findLateDelivery(sql, [CORE, ...registry.modules.map(module => module.name)])
  const webhook = await findLateWebhook(sql)
  const commits = await findWaitingCommits(sql)
  return [
    {
      name: 'svc_worker_idle_seconds',
      help: 'Time since the worker of this process last looked for work.',
      value: activity.seconds()
    },
    {
      name: 'svc_outbox_due_seconds',
      help: 'How long the oldest event or job that no worker has taken has been due.',
      value: delivery?.seconds ?? 0
    },
    {
      name: 'svc_webhook_due_seconds',
      help: 'How long the oldest webhook delivery that no worker has taken has been due.',
      value: webhook?.seconds ?? 0
    },
    {
      name: 'svc_database_commits_waiting',
      help: 'Commits that wait for a synchronous standby.',
      value: commits.count
    },
    {
      name: 'svc_database_commit_wait_seconds',
      help: 'How long the oldest of these commits has waited.',
      value: commits.seconds
    },
    {
      name: 'svc_database_full_seconds',
      help: 'For how long this process has found no room or memory in the database.',
      value: troubles.database.seconds()
    },
    {
      name: 'svc_documents_failing_seconds',
      help: 'For how long this process could not store or read documents.',
      value: troubles.documents.seconds()
    }
  ]
}
