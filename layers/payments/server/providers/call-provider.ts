import { isId, isProblem, type Ctx, type Problem } from '@svc/kit'
import type { ConnectionTest, RefundAnswer } from './provider.ts'

/** For one request. A patient waits for it, so it is shorter than the host's own limit. */
const TIMEOUT_MS = 6000
/** The host sets these itself. */
const OWN_HEADERS = ['accept-encoding', 'connection', 'content-length', 'expect', 'host', 'transfer-encoding', 'user-agent']

/** Why a call failed. `refused`: the provider understood it, and said no. */
export type Failure
  = | { kind: 'unreachable', reason: string }
    | { kind: 'wrong_key' | 'refused', detail: string | null }

export interface Call {
  provider: string
  /** Texts that must never leave this module. */
  secrets: (string | null)[]
  /** Null for an error that isn’t an answer of this provider. */
  classify (error: unknown): Failure | null
}

/** `fetch` for a provider's library, by the host's rules for outgoing calls. */
export const createFetch = (ctx: Ctx) => async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
  const { status, headers, bytes } = await ctx.http.fetch(String(url), {
    method: init.method,
    headers: Object.fromEntries([...new Headers(init.headers)].filter(([name]) => !OWN_HEADERS.includes(name))),
    body: init.body ? String(init.body) : undefined,
    timeout_ms: TIMEOUT_MS
  })
  return new Response([204, 205, 304].includes(status) ? null : Buffer.from(bytes), { status, headers })
}

/**
 * What the library's call returns. Throws `provider_unreachable` if there was no usable answer, and `provider_refused`
 * if the provider said no. Libraries quote keys in their messages, so none of their errors gets out of here.
 */
export async function callProvider<T>(ctx: Ctx, call: Call, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw toProblem(ctx, call, findFailure(call, error))
  }
}

/** A refund that the provider refuses is an answer, with its reason. A wrong key is not: the call can be repeated. */
export async function callForRefund(ctx: Ctx, call: Call, run: () => Promise<RefundAnswer>): Promise<RefundAnswer> {
  try {
    return await run()
  } catch (error) {
    const failure = findFailure(call, error)
    if (failure.kind !== 'refused') throw toProblem(ctx, call, failure)
    return { state: 'refused', refund_ref: null, reason: cleanDetail(failure.detail, call.secrets) }
  }
}

/** Whether the keys are accepted, by a call that changes nothing. */
export async function testConnection(
  call: Call & { live: boolean },
  run: () => Promise<unknown>
): Promise<ConnectionTest> {
  try {
    await run()
    return { ok: true, live: call.live }
  } catch (error) {
    const failure = findFailure(call, error)
    if (failure.kind === 'unreachable') return { ok: false, code: 'unreachable', detail: failure.reason }
    return { ok: false, code: failure.kind, detail: cleanDetail(failure.detail, call.secrets) }
  }
}

/** Of what a report says: the account may have other uses, with references of another kind. */
export const attemptIn = (reference: string | null | undefined): string | null =>
  reference && isId(reference) ? reference : null

/** The provider's own sentence for people, without keys and card numbers. */
export function cleanDetail(detail: string | null, secrets: (string | null)[]): string | null {
  if (detail === null) return null
  const known = secrets.filter(secret => secret !== null && secret !== '')
  const clean = known.reduce<string>((text, secret) => text.replaceAll(secret!, '…'), detail)
    // Providers quote keys in part, with asterisks in between.
    .replaceAll(/\b(?:sk|rk|pk|whsec|test|live|access)_[\w*.…]+/gi, '…')
    .replaceAll(/\d(?:[ -]?\d){11,}/g, '…')
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  return [...clean].slice(0, 200).join('') || null
}

const findFailure = (call: Call, error: unknown): Failure =>
  findTransportFailure(error) ?? call.classify(error) ?? { kind: 'unreachable', reason: 'unusable_answer' }

/** Of the host's outgoing call, which a library may have wrapped. */
function findTransportFailure(error: unknown): Failure | null {
  const found = isProblem(error) ? error : (error as { detail?: unknown } | null)?.detail
  if (!isProblem(found) || !found.code.startsWith('outgoing_')) return null
  return { kind: 'unreachable', reason: String(found.fields.reason) }
}

function toProblem(ctx: Ctx, { provider, secrets }: Call, failure: Failure): Problem {
  if (failure.kind === 'unreachable') {
    ctx.log.warn('payments.provider_unreachable', { provider, reason: failure.reason })
    return ctx.problem('provider_unreachable')
  }
  const detail = cleanDetail(failure.detail, secrets)
  ctx.log.warn('payments.provider_refused', { provider, kind: failure.kind, detail })
  return ctx.problem('provider_refused', detail === null ? {} : { detail })
}
