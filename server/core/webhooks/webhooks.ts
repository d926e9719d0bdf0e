import { createHash } from 'node:crypto'
import { and, asc, eq, sql } from 'drizzle-orm'
import { matchesEtag, problem, type Db, type Tx } from '@svc/kit'
import type { NewWebhook, Webhook, WebhookChange, WebhookDelivery, WebhookSettings } from '../../../shared/webhooks.ts'
import type { By } from '../people/accounts/record-account.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { coreClinic, coreWebhook, coreWebhookDelivery } from '../db/schema.ts'
import type { Host } from '../host.ts'
import { checkEvents, checkUrl } from './check-webhook.ts'
import { showFailure } from './failure.ts'
import { wakeWebhooks } from './queue.ts'
import { createSecret, SECRET_PURPOSE } from './sign.ts'

/** Each adds a row per event to the transaction that publishes it. */
const MAX_PER_CLINIC = 20

/** Qualified: drizzle omits the table's name in a select from one table, and both have an `id`. */
const countOf = (status: WebhookDelivery['status']) => sql<number>`(
  select count(*)::int from core_webhook_delivery delivery where delivery.webhook_id = core_webhook.id and delivery.status = ${status})`

const columns = {
  id: coreWebhook.id,
  url: coreWebhook.url,
  events: coreWebhook.events,
  include_reason: coreWebhook.include_reason,
  active: coreWebhook.active,
  state: sql<
    Webhook['state']
  >`case when not ${coreWebhook.active} then 'inactive' when ${coreWebhook.failing_since} is not null then 'failing' else 'ok' end`,
  failing_since: coreWebhook.failing_since,
  last_error: coreWebhook.last_error,
  last_success_at: coreWebhook.last_success_at,
  pending: countOf('pending'),
  failed: countOf('failed'),
  created_at: coreWebhook.created_at
}

type Named = { clinic_id: string, id: string }
const named = ({ clinic_id, id }: Named) => and(eq(coreWebhook.clinic_id, clinic_id), eq(coreWebhook.id, id))

const select = (db: Db | Tx) => db.select(columns).from(coreWebhook)
type Row = Awaited<ReturnType<typeof select>>[number]

function toWebhook(row: Row) {
  const { text, failure } = showFailure(row.last_error)
  return { ...row, last_error: text, last_failure: failure }
}

/** For its ETag: only its settings, because its state changes with each attempt. */
export const editOf = ({ url, events, include_reason, active }: WebhookSettings): number =>
  createHash('sha256').update(JSON.stringify([url, events, include_reason, active])).digest().readUIntBE(0, 6)

export const listWebhooks = async (db: Db, clinic_id: string) =>
  (
    await select(db)
      .where(eq(coreWebhook.clinic_id, clinic_id))
      .orderBy(asc(coreWebhook.created_at), asc(coreWebhook.id))
  ).map(toWebhook)

/** Throws `not_found`, also for another clinic's webhook. */
export async function getWebhook(db: Db | Tx, name: Named) {
  const [row] = await select(db).where(named(name))
  if (!row) throw problem('not_found')
  return toWebhook(row)
}

/** The only time that the secret is shown. Throws `validation_failed` or `too_many_webhooks`. */
export async function createWebhook(
  host: Host,
  { clinic_id, who, ...input }: NewWebhook & { clinic_id: string, who: By }
) {
  checkEvents(host, input.events)
  await checkUrl(host, input.url)
  const secret = createSecret()
  const webhook = await host.db.transaction(async (tx) => {
    // Two at once are counted one after the other.
    await tx.select({ id: coreClinic.id }).from(coreClinic).where(eq(coreClinic.id, clinic_id)).for('no key update')
    if ((await tx.$count(coreWebhook, eq(coreWebhook.clinic_id, clinic_id))) >= MAX_PER_CLINIC)
      throw problem('too_many_webhooks')
    const [{ id } = { id: '' }] = await tx
      .insert(coreWebhook)
      .values({ ...input, clinic_id, secret: host.secrets.seal(SECRET_PURPOSE, secret) })
      .returning({ id: coreWebhook.id })
    const made = await getWebhook(tx, { clinic_id, id })
    await record(host, tx, { clinic_id, id, who, detail: { change: 'created' } })
    return made
  })
  return { ...webhook, secret }
}

/**
 * A new URL is tried at once with the waiting deliveries. Throws `not_found`, `precondition_failed` or
 * `validation_failed`.
 */
export async function changeWebhook(
  host: Host,
  { change, if_match, who, ...name }: Named & { change: WebhookChange, if_match?: string, who: By }
) {
  // First, so that an unknown webhook is `not_found` whatever the change contains, and no name is resolved for it.
  await getWebhook(host.db, name)
  if (change.events) checkEvents(host, change.events)
  if (change.url !== undefined) await checkUrl(host, change.url)
  return await host.db.transaction(async (tx) => {
    const before = await lockWebhook(tx, name)
    if (!matchesEtag(editOf(before), if_match)) throw problem('precondition_failed')
    const moved = change.url !== undefined && change.url !== before.url
    if (Object.keys(change).length > 0) {
      await tx
        .update(coreWebhook)
        .set({ ...change, ...(moved ? { failing_since: null, last_error: null } : {}) })
        .where(named(name))
    }
    if (moved)
      await tx
        .update(coreWebhookDelivery)
        .set({ next_attempt_at: sql`now()` })
        .where(and(eq(coreWebhookDelivery.webhook_id, name.id), eq(coreWebhookDelivery.status, 'pending')))
    await wakeWebhooks(tx, [name.id])
    const fields = Object.keys(change).sort()
    if (fields.length > 0) await record(host, tx, { ...name, who, detail: { change: 'changed', fields } })
    return await getWebhook(tx, name)
  })
}

/** Locked until the end of the transaction. Throws `not_found`. */
export async function lockWebhook(tx: Tx, name: Named): Promise<WebhookSettings> {
  const [row] = await tx
    .select({
      url: coreWebhook.url,
      events: coreWebhook.events,
      include_reason: coreWebhook.include_reason,
      active: coreWebhook.active
    })
    .from(coreWebhook)
    .where(named(name))
    .for('no key update')
  if (!row) throw problem('not_found')
  return row
}

/** Deletes its deliveries too: nothing more is sent. Throws `not_found`. */
export async function deleteWebhook(host: Host, { who, ...name }: Named & { who: By }): Promise<void> {
  await host.db.transaction(async (tx) => {
    const gone = await tx.delete(coreWebhook).where(named(name)).returning({ id: coreWebhook.id })
    if (gone.length === 0) throw problem('not_found')
    await record(host, tx, { ...name, who, detail: { change: 'deleted' } })
  })
}

/** URLs of webhooks can contain secrets, so only the names of fields are recorded. */
const record = (
  host: Host,
  tx: Tx,
  { clinic_id, id, who, detail }: Named & { who: By, detail: { change: string, fields?: string[] } }
) => recordAudit(host, tx, { clinic_id, ...who, action: 'webhook_changed', target: { kind: 'webhook', id }, detail })
