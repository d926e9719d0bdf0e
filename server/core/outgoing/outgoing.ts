import { isProblem, problem, type Outgoing, type OutgoingAnswer, type Problem } from '@svc/kit'
import { assertCallsAllowed } from '../db/guarded/outgoing-calls.ts'
import type { Host } from '../host.ts'
import { describeError } from '../log.ts'
import { AddressError, findTarget } from '../webhooks/address.ts'
import { before } from './before.ts'
import { readRequest, type ReadRequest } from './read-request.ts'
import { findRedirect, RedirectRefused } from './redirect.ts'
import { AnswerTooLarge, send, type Sent } from './send.ts'

const MAX_REDIRECTS = 3

type Parts = Pick<Host, 'config' | 'log' | 'metrics' | 'tracing' | 'version'>
interface Caller {
  module: string
  /** Whether the manifest lets the module call this host. */
  mayCall (hostname: string): Promise<boolean>
}

/** Calls of a module to other services. Neither paths nor headers are logged: both can contain secrets. */
export function createOutgoing(host: Parts, { module, mayCall }: Caller): Outgoing {
  const { log, metrics, tracing } = host

  async function run(read: ReadRequest): Promise<OutgoingAnswer> {
    const { hostname } = read.sent.url
    try {
      assertCallsAllowed()
    } catch {
      throw refused('guard', `The module ${module} calls ${hostname} while a guard runs.`)
    }
    if (!await mayCall(hostname))
      throw refused('host', `The module ${module} may not call ${hostname}: "outgoing" of its manifest doesn't name it.`)
    const signal = AbortSignal.timeout(read.timeout_ms)
    try {
      return await followRedirects(host, read, signal)
    } catch (error) {
      throw toProblem(error, signal)
    }
  }

  return {
    async fetch(url, request = {}) {
      const read = readRequest(url, request, host.version)
      const { method, url: { hostname } } = read.sent
      const about = { module, host: hostname, method }
      const began = performance.now()
      const end = (outcome: string) => {
        const seconds = (performance.now() - began) / 1000
        metrics.observeCall({ module, outcome, seconds })
        return Math.round(seconds * 1000)
      }
      const attributes = { 'http.request.method': method, 'server.address': hostname, 'svc.module': module }
      try {
        const answer = await tracing.run(
          { kind: 'call', name: `${method} ${hostname}`, attributes },
          () => run(read),
          ({ status }) => ({ 'http.response.status_code': status })
        )
        log.debug('outgoing.call', { ...about, status: answer.status, ms: end(`${Math.floor(answer.status / 100)}xx`) })
        return answer
      } catch (error) {
        const reason = isProblem(error) ? String(error.fields.reason) : 'other'
        const cause = error instanceof Error && error.cause ? { error: describeError(error.cause) } : {}
        log.warn('outgoing.failed', { ...about, reason, ms: end(reason), ...cause })
        throw error
      }
    }
  }
}

/** The name is resolved once for the whole call, since all its requests have one origin. */
async function followRedirects({ config }: Parts, { sent: first, max_bytes }: ReadRequest, signal: AbortSignal) {
  const addresses = await before(
    signal,
    findTarget(first.url.href, { allow_private: config.webhook_allow_private })
  )
  let sent: Sent = first
  for (let redirects = 0; ; redirects += 1) {
    const answer = await send(sent, { addresses, max_bytes, signal })
    const next = findRedirect(answer, sent)
    if (!next) return answer
    if (redirects === MAX_REDIRECTS) throw new RedirectRefused(`more than ${MAX_REDIRECTS} redirects`)
    sent = next
  }
}

const refused = (reason: string, detail: string): Problem => problem('outgoing_refused', { reason, detail })
const failed = (reason: string, cause: unknown): Problem =>
  Object.assign(problem('outgoing_failed', { reason }), { cause })

function toProblem(error: unknown, signal: AbortSignal): Problem {
  if (error instanceof AddressError) {
    return error.code === 'not_https' || error.code === 'private_address'
      ? refused(error.code, error.message)
      : failed('unresolved', error)
  }
  if (error instanceof AnswerTooLarge) return failed('too_large', error)
  if (error instanceof RedirectRefused) return failed('redirected', error)
  return failed(signal.aborted ? 'timeout' : 'no_answer', error)
}
