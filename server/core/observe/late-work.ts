import type { Sql } from 'postgres'
import type { Finding } from '@svc/kit'

/** Deliveries whose notice was lost are found within five seconds. */
export const LATE_SECONDS = 120

export interface LateDelivery { module: string, kind: 'event' | 'job', name: string, seconds: number }

/**
 * The delivery that has been due for longest, of those that are the first of their line and that no process is working
 * on, which would hold the line's lock (`dispatch.ts`). Null if there is none.
 */
export async function findLateDelivery(sql: Sql, modules: string[]): Promise<LateDelivery | null> {
  const [row] = await sql<LateDelivery[]>`
    with oldest as (
      select distinct on (module_name, line) module_name, line, kind, name, next_attempt_at from core_delivery
      where status = 'pending'
        and module_name in (select jsonb_array_elements_text(${JSON.stringify(modules)}::text::jsonb))
      order by module_name, line, id
    ), held as (
      select classid::bigint << 32 | objid::bigint as key from pg_locks
      where locktype = 'advisory' and objsubid = 1 and granted
        and database = (select oid from pg_database where datname = current_database())
    )
    select module_name as module, kind, name,
           extract(epoch from clock_timestamp() - next_attempt_at)::float8 as seconds
    from oldest where next_attempt_at <= clock_timestamp()
      and not exists (select from held where key = hashtextextended('svc-line:' || module_name || ':' || line, 0))
    order by next_attempt_at limit 1`
  return row ?? null
}

export interface LateWebhook { webhook_id: string, seconds: number }

/**
 * The webhook whose delivery has been due for longest. One with an attempt in the last two minutes is active: its
 * deliveries run one after the other, and its receiver may be slow. Null if there is none.
 */
export async function findLateWebhook(sql: Sql): Promise<LateWebhook | null> {
  const [row] = await sql<LateWebhook[]>`
    select webhook.id as webhook_id, extract(epoch from clock_timestamp() - due.at)::float8 as seconds
    from core_webhook webhook cross join lateral (
      select min(next_attempt_at) as at from core_webhook_delivery
      where webhook_id = webhook.id and status = 'pending' and next_attempt_at <= clock_timestamp()) due
    where webhook.active and due.at is not null
      and not exists (
        select from core_webhook_delivery where webhook_id = webhook.id and status <> 'pending'
          and done_at > clock_timestamp() - ${LATE_SECONDS}::float8 * interval '1 second')
      and not exists (
        select from core_webhook_delivery delivery
        join core_webhook_attempt attempt on attempt.delivery_id = delivery.id
        where delivery.webhook_id = webhook.id and delivery.status = 'pending'
          and attempt.at > clock_timestamp() - ${LATE_SECONDS}::float8 * interval '1 second')
    order by due.at limit 1`
  return row ?? null
}

const FIX = 'Start the service. If it is running, restart it (svc modules restart) and look for worker and delivery.failed in its log.'

/** For the doctor, which runs in a separate process and detects idle workers only by overdue work. */
export async function checkWork(sql: Sql, modules: string[]): Promise<Finding[]> {
  const delivery = await findLateDelivery(sql, modules)
  const webhook = await findLateWebhook(sql)
  const found = [
    ...(delivery
      ? [{ ...delivery, code: 'delivery_late', object: `${delivery.module}: ${delivery.kind} ${delivery.name}` }]
      : []),
    ...(webhook ? [{ ...webhook, code: 'webhook_late', object: `webhook ${webhook.webhook_id}` }] : [])
  ]
  return found.filter(({ seconds }) => seconds > LATE_SECONDS).map(({ code, object, seconds }) => {
    const minutes = Math.floor(seconds / 60)
    return { code, object, message: `It has been due for ${minutes} minutes, but no instance works on it.`, fix: FIX }
  })
}
