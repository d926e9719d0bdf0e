import { problem } from '@svc/kit'
import type { Limiter, Limits } from '../services.ts'

/** Failures an hour that cost no pause. */
const FREE_FAILURES = 20
const LONGEST_PAUSE_SECONDS = 60

interface Try {
  /** Of the account and its present password: a new password starts the counters of all anew. */
  account: string
  address: string
  /** A browser that has signed in to the account before counts for itself: strangers cannot use up its tries. */
  device: string | null
}

/**
 * Counts a try before its comparison, so that parallel guesses get no more of them than the limits allow. Gives back
 * what a right password did not cost. Throws `too_many_requests` after 5 failures a minute of one address or device;
 * beyond 20 an hour each try needs a pause, from 1 to 60 seconds, so that guessing is slow and no member is locked out.
 */
export async function takeTry(limits: Limits, { account, address, device }: Try): Promise<() => Promise<void>> {
  const everywhere = device ? `${account} ${device}` : account
  const taken: (() => Promise<void>)[] = []
  const giveBack = async () => {
    for (const back of taken.splice(0)) await back()
  }
  const near = limits.limiter({ name: 'core:log-in-address', points: 5, seconds: 60 })
  await take(near, `${device ?? address} ${account}`)

  const hourly = limits.limiter({ name: 'core:log-in-account', points: FREE_FAILURES, seconds: 3600 })
  const { allowed } = await hourly.take(everywhere)
  taken.push(() => hourly.giveBack(everywhere))
  if (!allowed) await take(limits.pauses({ name: 'core:log-in-pause', longest: LONGEST_PAUSE_SECONDS }), everywhere)
  return giveBack

  async function take(limiter: Limiter, key: string): Promise<void> {
    const state = await limiter.take(key)
    if (state.allowed) {
      taken.push(() => limiter.giveBack(key))
      return
    }
    await giveBack() // what is refused was no try
    throw problem('too_many_requests', { detail: tooMany(state.reset), retry_after: state.reset })
  }
}

const tooMany = (seconds: number) => `Too many failed attempts to sign in. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`
