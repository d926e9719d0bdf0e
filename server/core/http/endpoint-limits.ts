import { problem, type Endpoint, type Limit, type ModuleRequest, type Problem } from '@svc/kit'
import type { Limiter, Limits, LimitState } from '../host.ts'
import { isNamedAccess } from './named-access.ts'

interface Counter { limit: Limit, limiter: Limiter, policy: string, keyOf (request: ModuleRequest): string }

/** The limits of one call, from the first check to the answer. */
export interface CallLimits {
  /**
   * Charges or checks each limit, depending on what it `counts`. Throws `too_many_requests`, and then refunds what this
   * call has charged.
   */
  enter (): Promise<void>
  countFailure (): Promise<void>
  /** Refunds a failed call to the limits that count successes. */
  leave (succeeded: boolean): Promise<void>
  /** draft-ietf-httpapi-ratelimit-headers: `RateLimit-Policy` and `RateLimit`. */
  headers (): Record<string, string>
}

/** The total that one address may request of all routes that need no session, or another module's. */
const EVERYTHING_PUBLIC: Limit = { name: 'public', points: 600, seconds: 60, by: 'address', counts: 'requests' }

/** Null if nothing limits the endpoint. Each module has counters of its own. */
export function createEndpointLimits(
  limits: Limits,
  module: string,
  endpoint: Endpoint
): ((request: ModuleRequest) => CallLimits) | null {
  const own = [endpoint.limit ?? []].flat().map(limit => toCounter(limits, limit, `${module}:${limit.name}`))
  const isPublic = endpoint.access === 'none' || isNamedAccess(endpoint.access)
  const counters = isPublic ? [toCounter(limits, EVERYTHING_PUBLIC, 'public'), ...own] : own
  if (counters.length === 0) return null
  const policies = counters.map(counter => counter.policy).join(', ')
  return request => createCallLimits(counters, policies, request)
}

function toCounter(limits: Limits, limit: Limit, name: string): Counter {
  return {
    limit,
    limiter: limits.limiter({ name, points: limit.points, seconds: limit.seconds }),
    policy: `"${limit.name}";q=${limit.points};w=${limit.seconds}`,
    keyOf(request) {
      if (typeof limit.by === 'function') return limit.by(request)
      if (limit.by === 'address') return request.client.ip_key
      return `${request.client.ip_key} ${request.params[limit.param ?? ''] ?? ''}`
    }
  }
}

function createCallLimits(counters: Counter[], policies: string, request: ModuleRequest): CallLimits {
  const states = new Map<Counter, LimitState>()
  const taken: Counter[] = []

  async function check(counter: Counter): Promise<LimitState> {
    const { limit, limiter } = counter
    // A HEAD request never counts as a success, but it must not get past a used-up limit either.
    if (limit.counts === 'failures' || (limit.counts === 'successes' && request.head))
      return await limiter.peek(counter.keyOf(request))
    const state = await limiter.take(counter.keyOf(request))
    if (state.allowed && limit.counts === 'successes') taken.push(counter)
    return state
  }

  async function refund() {
    for (const counter of taken.splice(0)) {
      await counter.limiter.refundAttempt(counter.keyOf(request))
      const state = states.get(counter)!
      states.set(counter, { ...state, remaining: Math.min(counter.limit.points, state.remaining + 1) })
    }
  }

  return {
    async enter() {
      for (const counter of counters) {
        const state = await check(counter)
        states.set(counter, state)
        if (state.allowed) continue
        await refund()
        throw refusal(state)
      }
    },
    async countFailure() {
      for (const counter of counters) {
        if (counter.limit.counts === 'failures') states.set(counter, await counter.limiter.take(counter.keyOf(request)))
      }
    },
    async leave(succeeded) {
      if (!succeeded) await refund()
    },
    headers() {
      const seen = [...states].map(([{ limit }, state]) => `"${limit.name}";r=${state.remaining};t=${state.reset}`)
      const headers: Record<string, string> = { 'ratelimit-policy': policies }
      if (seen.length > 0) headers.ratelimit = seen.join(', ')
      return headers
    }
  }
}

const refusal = (state: LimitState): Problem => problem('too_many_requests', { retry_after: state.reset })
