import { once } from 'node:events'
import { describeError } from '../log.ts'
import type { Host } from '../host.ts'
import { AddressError, findTarget } from './address.ts'
import { writeFailure } from './failure.ts'
import { post, type Outcome } from './post.ts'
import { claimNext, recordAttempt, release, RENEW_LEASE_MS, renewLease, type Claimed } from './queue.ts'
import { SECRET_PURPOSE, sign } from './sign.ts'

type Parts = Pick<Host, 'db' | 'config' | 'secrets' | 'log' | 'version'>

interface Sending {
  signal: AbortSignal
  /** See `wait-for-standby.ts`. */
  replicated: () => Promise<void>
  /** Asks for the next attempt in so many seconds. */
  again: (webhook_id: string, in_seconds: number) => void
}

/**
 * Makes one attempt of the delivery that is due. True: there may be another one. `signal` aborts it, and then it does
 * not count.
 */
export async function deliverNext(
  host: Parts,
  webhook_id: string,
  { signal, replicated, again }: Sending
): Promise<boolean> {
  const claimed = await claimNext(host.db, webhook_id)
  if (!claimed) return false
  return await whileLeased(host, claimed, async () => {
    try {
      await untilReplicated({ signal, replicated })
    } catch (error) {
      await release(host.db, claimed)
      if (signal.aborted) return false
      throw error // an error of our own database: no attempt was made
    }
    // A standby may have been away for long: the webhook was changed or deleted, and receivers refuse an old time.
    const current = await renewLease(host.db, claimed)
    return current === null || await makeAttempt(host, { ...claimed, ...current }, { signal, again })
  })
}

/** False if it was aborted. */
async function makeAttempt(
  host: Parts,
  claimed: Claimed,
  { signal, again }: Pick<Sending, 'signal' | 'again'>
): Promise<boolean> {
  const began = performance.now()
  let outcome: Outcome
  try {
    outcome = await attempt(host, claimed, signal)
  } catch (error) {
    if (signal.aborted) {
      await release(host.db, claimed)
      return false
    }
    outcome = {
      status: null,
      body: null,
      error:
        error instanceof AddressError
          ? error.failure
          : writeFailure({ code: 'other', value: describeError(error).message })
    }
  }
  const ms = Math.round(performance.now() - began)
  const next_in = await recordAttempt(host.db, claimed, { ...outcome, ms })
  if (next_in !== null) again(claimed.webhook_id, next_in)
  if (outcome.error)
    host.log.warn('webhook.failed', {
      webhook: claimed.webhook_id,
      delivery: claimed.id,
      name: claimed.event.name,
      attempt: claimed.failures + 1,
      status: outcome.status,
      ms
    })
  return true
}

/** Rejects if it is aborted. */
async function untilReplicated({ signal, replicated }: Pick<Sending, 'signal' | 'replicated'>): Promise<void> {
  const waited = new AbortController()
  const broken = async () => {
    if (!signal.aborted) await once(signal, 'abort', { signal: waited.signal })
    throw signal.reason
  }
  try {
    await Promise.race([replicated(), broken()])
  } finally {
    waited.abort() // the signal lives as long as the process, so each delivery would leave a listener
  }
}

/** A failed renewal ends nothing: at worst another process makes the attempt too, and the receiver sees the same id. */
async function whileLeased<T>({ db, log }: Parts, claimed: Claimed, run: () => Promise<T>): Promise<T> {
  const renewing = setInterval(() => {
    renewLease(db, claimed).catch((error: unknown) => log.warn('webhook.lease', { delivery: claimed.id, error }))
  }, RENEW_LEASE_MS)
  try {
    return await run()
  } finally {
    clearInterval(renewing)
  }
}

async function attempt(
  { config, secrets, version }: Parts,
  { url, secret, event, include_reason, at }: Claimed,
  signal: AbortSignal
): Promise<Outcome> {
  const addresses = await findTarget(url, { allow_private: config.webhook_allow_private })
  const body = bodyOf(event, { include_reason })
  const headers = sign({
    secret: Buffer.from(secrets.open(SECRET_PURPOSE, secret)).toString(),
    id: event.id,
    at: new Date(at),
    body
  })
  return await post({
    url,
    addresses,
    headers: { ...headers, 'content-type': 'application/json', 'user-agent': `dental-budget-service/${version}` },
    body,
    signal
  })
}

/**
 * The same bytes in every attempt. A `reason` is in a person's own words, and is sent only if the webhook requests it.
 * `seq` increases, which shows a receiver which of two events happened later.
 */
function bodyOf(
  { name, occurred_at, seq, payload }: Claimed['event'],
  { include_reason }: { include_reason: boolean }
): string {
  const { reason, ...rest } = payload
  return JSON.stringify({
    type: name,
    timestamp: occurred_at,
    data: { ...rest, ...(include_reason && reason !== undefined ? { reason } : {}), seq }
  })
}
