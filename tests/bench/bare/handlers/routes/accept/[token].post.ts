import { randomBytes, randomUUID } from 'node:crypto'
import { defineEventHandler, getCookie, getRouterParam, readBody } from 'h3'
import type { TransactionSql } from 'postgres'
import { hashOf, sql } from '../../parts.ts'

/** Only the statements of an acceptance, in their order and in one transaction, and the notification after it. */
export default defineEventHandler(async (event) => {
  const cookie = hashOf(getCookie(event, 'budget_session') ?? '')
  const { signer_name } = await readBody<{ signer_name: string }>(event)
  const [found] = await sql`
    select link.*, budget.*, session.session_hash
    from budget_link as link join budget on budget.id = link.budget_id left join budget_signature as signature on signature.budget_id = budget.id
         left join budget_session as session on session.session_hash = ${cookie} and session.budget_id = budget.id
    where link.token_hash = ${hashOf(getRouterParam(event, 'token')!)}`
  const lines = await sql.begin(async (tx) => {
    const [budget] = await tx`select *, now() as now from budget where id = ${found!.id} for update`
    await tx`select session_hash from budget_session where session_hash = ${cookie} and ended_at is null`
    await tx`select * from core_clinic where id = ${budget!.clinic_id}`
    const items = await tx`select * from budget_item where budget_id = ${budget!.id} order by position`
    const signature = {
      budget_id: budget!.id,
      clinic_id: budget!.clinic_id,
      decision: 'accepted',
      signer_name,
      relationship: 'patient',
      method: 'click',
      consent_version: '1',
      content: JSON.stringify(items),
      content_digest: hashOf(JSON.stringify(items)).toString('hex'),
      ip: '127.0.0.1',
      decided_at: budget!.now,
      time_zone: budget!.time_zone,
      locale: budget!.locale
    }
    const [{ id }] = await tx`insert into budget_signature ${tx(signature)} returning id` as [{ id: string }]
    await tx`update budget set status = 'accepted', updated_at = now(), decided_at = now(), decided_via = 'remote_link', signed_pdf_status = 'none' where id = ${budget!.id} and status = 'sent' returning id`
    await log(tx, { id: budget!.id, clinic_id: budget!.clinic_id, count: budget!.log_count, signature_id: id })
    return await publish(tx, { id: budget!.id, clinic_id: budget!.clinic_id })
  })
  void notify(lines)
  return { data: { status: 'accepted' } }
})

async function log(
  tx: TransactionSql,
  { id, clinic_id, count, signature_id }: { id: string, clinic_id: string, count: number, signature_id: string }
) {
  const hash = randomBytes(32)
  await tx`
    with head as (update budget set log_count = ${count + 1}, log_hash = ${hash}, log_seal = ${hash} where id = ${id} and log_count = ${count} returning id)
    insert into budget_access_log (id, budget_id, clinic_id, seq, at, action, success, actor, detail, hash)
    select ${randomUUID()}::uuid, id, ${clinic_id}::uuid, ${count + 1}::int, now(), 'accepted', true, 'patient', ${JSON.stringify({ signature_id })}::text::jsonb, ${hash}::bytea from head returning seq`
}

/**
 * Event, deliveries and jobs for a module that does not exist, so that no worker processes them. Returns their queues.
 */
async function publish(tx: TransactionSql, { id, clinic_id }: { id: string, clinic_id: string }): Promise<string[]> {
  const [line, payload] = [`event:${id}`, JSON.stringify({ clinic_id, budget_id: id })]
  await tx`
    with event as (
      insert into core_event (id, name, clinic_id, payload) values (${randomUUID()}, 'bench.accepted', ${clinic_id}, ${payload}::text::jsonb) returning id, name, clinic_id
    ), delivered as (
      insert into core_delivery (module_name, kind, name, line, event_id) select 'bench', 'event', event.name, ${line}::text, event.id from event
    ), queued as (
      insert into core_webhook_delivery (webhook_id, event_id)
      select webhook.id, event.id from event join core_webhook webhook on webhook.clinic_id = event.clinic_id where webhook.active and webhook.events && array['*', event.name]
      for key share of webhook returning webhook_id)
    select webhook_id from queued`
  const sealing = await addJob(tx, payload)
  await tx`insert into budget_notice (budget_id, clinic_id, message_id) values (${id}, ${clinic_id}, ${randomUUID()}) on conflict do nothing returning budget_id`
  return [line, sealing, await addJob(tx, payload)]
}

async function addJob(tx: TransactionSql, payload: string): Promise<string> {
  const line = `job:${randomUUID()}`
  await tx`insert into core_delivery (module_name, kind, name, line, payload) values ('bench', 'job', 'work', ${line}, ${payload}::text::jsonb)`
  return line
}

async function notify(lines: string[]) {
  const texts = JSON.stringify(lines.map(line => JSON.stringify({ module: 'bench', line })))
  await sql`
    select set_config('synchronous_commit', 'off', true), count(pg_notify('svc_work', value)::text)
    from jsonb_array_elements_text(${texts}::text::jsonb) as notice (value)`
}
