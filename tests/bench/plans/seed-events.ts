import type { Step } from './seed.ts'

/**
 * Events of a month with their deliveries. A few are older, and the next prune removes them. Some are still waiting.
 */
export const eventSteps: Step[] = [
  {
    what: 'events',
    run: sql => sql`
    insert into core_event (name, clinic_id, payload, occurred_at)
    select (array['budget.sent','budget.viewed','budget.accepted'])[1 + n % 3], clinic_id, jsonb_build_object('clinic_id', clinic_id, 'budget_id', id, 'patient_id', patient_id, 'number', number), created_at - interval '1 hour' + n * interval '1 minute'
    from budget, generate_series(1, 9) n where created_at > now() - interval '30 days' order by created_at`
  },
  {
    what: 'deliveries',
    run: async (sql) => {
      await sql`
      insert into core_delivery (module_name, kind, name, line, event_id, status, attempts, created_at, done_at)
      select module, 'event', name, 'event:' || (payload->>'budget_id'), id, 'done', 1, occurred_at, occurred_at + interval '1 second' from core_event, unnest(array['billing', 'budget']) module order by seq`
      await sql`
      insert into core_delivery (module_name, kind, name, line, payload, status, attempts, created_at, done_at)
      select 'budget', 'job', 'deliver-link', 'job:' || (payload->>'budget_id'), payload, 'done', 1, occurred_at, occurred_at + interval '1 second'
      from core_event where occurred_at > now() - interval '7 days 1 hour' order by seq`
      await sql`
      insert into core_delivery (module_name, kind, name, line, payload, attempts, next_attempt_at, last_error)
      select 'gone', 'job', 'none', 'job:' || n, '{}', 3, now() + interval '1 day', 'refused' from generate_series(1, 300) n`
    }
  },
  {
    what: 'webhooks',
    run: async (sql) => {
      await sql`insert into core_webhook (clinic_id, url, events, secret) select clinic_id, 'https://hooks.example/' || n, '{*}', 'x' from share, generate_series(1, 2) n where rank % 2 = 1`
      await sql`
      insert into core_webhook_delivery (webhook_id, event_id, status, attempts, next_attempt_at, created_at, done_at)
      select webhook.id, event.id, case when event.seq % 400 = 0 then 'failed' else 'delivered' end, 1, null, occurred_at, occurred_at + interval '2 seconds'
      from core_event event join core_webhook webhook using (clinic_id)`
      await sql`
      insert into core_webhook_delivery (webhook_id, event_id, next_attempt_at)
      select webhook.id, event.id, now() + interval '1 day' from core_webhook webhook, lateral (select id from core_event where clinic_id = webhook.clinic_id limit 1) as event`
      await sql`insert into core_webhook_attempt (delivery_id, at, duration_ms, response_status, response_body) select id, created_at, 80, 200, 'ok' from core_webhook_delivery where status <> 'pending'`
    }
  }
]
