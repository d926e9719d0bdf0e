import { randomUUID } from 'node:crypto'
import { eventually } from './builders.ts'
import type { Caller } from './caller.ts'
import { anInstance, type Instance } from './instance.ts'
import { aReceiver, type Receiver } from './outside/receiver.ts'

export const WEBHOOKS = '/api/v1/webhooks'
/** Added to the product's pause after a failure, so that nothing is retried before the test calls `makeDue`. */
export const HELD_BACK_MS = 3_600_000

export interface Made {
  id: string
  secret: string
  /** On the receiver, its own. */ path: string
  /** Of its endpoints. */ base: string
}

/** An instance that may send to loopback, a receiver there, and the clinic's administrator. */
export interface WebhookWorld {
  instance: Instance
  receiver: Receiver
  admin: Caller
  /** By default it subscribes to `budget.tested`, which only `publish` sends. */
  aWebhook (fields?: Record<string, unknown>, by?: Caller): Promise<Made>
  /** The event's id. */
  publish (fields?: Record<string, unknown>, name?: string, clinic?: { id: string }): Promise<string>
  /** The body of the list. */
  deliveries (webhook: Made, query?: string): Promise<any>
  shown (webhook: Made): Promise<any>
  /** The newest delivery, once it has the status and this many attempts. */
  settled (webhook: Made, status: string, attempts?: number): Promise<any>
  /** Ends the pause, so that the poll that runs every five seconds finds it. */
  makeDue (webhook: Made): Promise<void>
  close (): Promise<void>
}

export async function aWebhookWorld(env: Record<string, string> = {}): Promise<WebhookWorld> {
  const receiver = await aReceiver()
  const instance = await anInstance({ env: { SVC_WEBHOOK_ALLOW_PRIVATE: 'true', ...env } })
  // Otherwise it would be retried by itself five seconds after its failure, at any point of a test.
  await instance.sql.unsafe(`
    create function test_hold_back() returns trigger language plpgsql as $$ begin
      new.next_attempt_at = new.next_attempt_at + interval '${HELD_BACK_MS} milliseconds';
      return new;
    end $$;
    create trigger test_hold_back before update on core_webhook_delivery for each row
      when (new.status = 'pending' and new.failures > old.failures) execute function test_hold_back();`)
  const admin = await instance.as('admin')
  const deliveries: WebhookWorld['deliveries'] = async (webhook, query = '') =>
    (await admin.get(`${webhook.base}/deliveries${query}`)).body

  return {
    instance,
    receiver,
    admin,
    async aWebhook(fields = {}, by = admin) {
      const path = `/${randomUUID()}`
      const { status, body } = await by.post(WEBHOOKS, {
        url: receiver.url + path,
        events: ['budget.tested'],
        ...fields
      })
      if (status !== 201) throw new Error(JSON.stringify(body))
      return { ...body.data, path, base: `${WEBHOOKS}/${body.data.id}` }
    },
    publish(fields = {}, name = 'budget.tested', clinic = instance.clinic) {
      const { db, events } = instance.runtime.host
      return db.transaction(tx => events.publish(tx, name, { clinic_id: clinic.id, ...fields }))
    },
    deliveries,
    shown: async webhook => (await admin.get(webhook.base)).body.data,
    settled: (webhook, status, attempts = 1) => eventually(async () => {
      const [newest] = (await deliveries(webhook)).data
      return newest?.status === status && newest.attempts >= attempts && newest
    }, `${status} after ${attempts}`),
    async makeDue(webhook) {
      await instance.sql`update core_webhook_delivery set next_attempt_at = now() where webhook_id = ${webhook.id} and status = 'pending'`
      await instance.sql`select pg_notify('svc_work', '')`
    },
    async close() {
      await instance.close()
      await receiver.close()
    }
  }
}
