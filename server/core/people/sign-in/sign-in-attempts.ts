import { problem } from '@svc/kit'
import type { Host, Limiter, Limits } from '../../host.ts'
import { accountKey } from './devices.ts'

/** Failures per hour without a pause. */
const FREE_FAILURES = 20
/** Between the attempts of one address, and between those of one known browser. */
const PAUSE = { name: 'core:log-in-pause', first: 1, longest: 60 }
/** Between the attempts of all unknown browsers: shorter, so that one address can't block all others. */
const SHARED_PAUSE = { name: 'core:log-in-shared-pause', first: 1, longest: 10 }

/** Identifies an account with its present password in counters, so that a new password resets them. */
export const presentAccount = (
  secrets: Pick<Host['secrets'], 'mac'>,
  { email, password_hash }: { email: string, password_hash: string | null }
): string => accountKey(secrets, `${email} ${password_hash ?? ''}`)

interface Attempt {
  /** From `presentAccount`. */
  account: string
  address: string
  /**
   * A browser that has signed in to the account before has its own count, so that strangers cannot use up its attempts.
   */
  device: string | null
}

/**
 * Counts an attempt before its comparison, so that parallel attempts can't exceed the limits. Returns a function that
 * refunds an attempt with the right password. Throws `too_many_requests` after 5 attempts a minute of one address or
 * device that failed or were refused. Beyond 20 failures an hour each attempt needs a pause, so that guessing is slow
 * and no member is locked out.
 */
export async function countAttempt(
  limits: Limits,
  { account, address, device }: Attempt
): Promise<() => Promise<void>> {
  const charged: (() => Promise<void>)[] = []
  const near = `${device ?? address} ${account}`
  const perMinute = limits.limiter({ name: 'core:log-in-address', points: 5, seconds: 60 })
  const { allowed, reset } = await perMinute.take(near)
  if (!allowed) throw refusal(reset)

  const everywhere = device ? `${account} ${device}` : account
  const hourly = limits.limiter({ name: 'core:log-in-account', points: FREE_FAILURES, seconds: 3600 })
  const isFree = (await hourly.take(everywhere)).allowed
  charged.push(() => hourly.refundAttempt(everywhere))
  if (!isFree) await waitFor(limits.pauses(PAUSE), near)
  if (!isFree && !device) await waitFor(limits.pauses(SHARED_PAUSE), account)
  return async () => {
    await refund()
    await perMinute.refundAttempt(near)
  }

  async function waitFor(pause: Limiter, key: string): Promise<void> {
    const state = await pause.take(key)
    if (state.allowed) {
      charged.push(() => pause.refundAttempt(key))
      return
    }
    await refund() // nothing was compared; only the minute of its own address counts it
    throw refusal(state.reset)
  }

  async function refund() {
    for (const undo of charged.splice(0)) await undo()
  }
}

const refusal = (seconds: number) =>
  problem('too_many_requests', {
    detail: `Too many failed attempts to sign in. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    retry_after: seconds
  })
