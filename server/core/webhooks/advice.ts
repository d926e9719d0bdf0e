import type { Sql } from 'postgres'
import type { Finding } from '@svc/kit'
import { showFailure } from './failure.ts'

/** A failing webhook is never switched off. The operator sees it here, and the clinic in its list. */
export async function checkWebhooks(sql: Sql): Promise<Finding[]> {
  const [table] = await sql<{ there: boolean }[]>`select to_regclass('core_webhook') is not null as there`
  if (!table?.there) return [] // the next start runs the core's migrations
  const rows = await sql<
    {
      id: string
      clinic: string
      url: string
      since: string
      last_error: string | null
      waiting: number
      failed: number
    }[]
  >`
    select webhook.id, clinic.name as clinic, webhook.url, webhook.last_error,
      to_char(webhook.failing_since at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as since,
      (select count(*)::int from core_webhook_delivery where webhook_id = webhook.id and status = 'pending') as waiting,
      (select count(*)::int from core_webhook_delivery where webhook_id = webhook.id and status = 'failed') as failed
    from core_webhook webhook join core_clinic clinic on clinic.id = webhook.clinic_id
    where webhook.active and webhook.failing_since < now() - interval '1 hour'
    order by webhook.failing_since, webhook.id`
  return rows.map(({ id, clinic, url, since, last_error, waiting, failed }) => ({
    code: 'webhook_failing',
    object: id,
    // The path can contain a secret of the receiver's.
    message: `The webhook of ${clinic} to ${new URL(url).origin} has failed since ${since} UTC: ${showFailure(last_error).text ?? ''} ${waiting} waiting, ${failed} failed.`,
    fix: 'Fix the receiver or the address, then resend the failed deliveries; or turn the webhook off.',
    advice: true
  }))
}
