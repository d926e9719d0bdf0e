import { until } from '../../support/cli.ts'
import type { World } from './world.ts'

const LIMIT_MS = 600_000

/**
 * Waits until everything is delivered, drawn and sent. Retry pauses have grown up to hours, so they are ended here, and
 * the check that each instance makes every five seconds finds the due work.
 */
export async function settle({ built: { sql } }: World, say: (line: string) => void): Promise<void> {
  let said = ''
  await until(async () => {
    const [left] = await sql`
      select (select count(*)::int from core_delivery where status = 'pending') as deliveries,
             (select count(*)::int from core_webhook_delivery where status <> 'delivered') as webhooks,
             (select count(*)::int from budget where signed_pdf_status = 'pending') as documents`
    const { deliveries, webhooks, documents } = left!
    if (deliveries + webhooks + documents === 0) return true
    const line = `waiting for ${deliveries} deliveries, ${webhooks} to webhooks, ${documents} signed PDFs`
    if (line !== said) say(said = line)
    await sql`update core_delivery set next_attempt_at = clock_timestamp() where status = 'pending' and next_attempt_at > clock_timestamp()`
    // A time within the next minute can be the lease of an attempt in progress.
    await sql`update core_webhook_delivery set next_attempt_at = clock_timestamp() where status = 'pending' and next_attempt_at > clock_timestamp() + interval '61 seconds'`
    await sql`select pg_notify('svc_work', '')`
    await new Promise(resolve => setTimeout(resolve, 2000))
    return false
  }, LIMIT_MS)
}
