import { defineEventHandler, setResponseHeader, type H3Event } from 'h3'
import { problem } from '@svc/kit'
import { bootState, draining, getRuntime, isBooted, ready } from '../boot.ts'
import { sendProblem } from '../core/http/problems.ts'

const HOLD_MS = 30_000

/**
 * Until the boot is done only the probes are answered. All other requests wait, for at most 30 s, and not if the
 * process is stopping. A request that passes finds the running service where the kit's endpoint handlers expect it.
 */
export default defineEventHandler(async (event) => {
  if (bootState() === 'ready') return pass(event)
  if (event.path === '/livez' || event.path === '/readyz') return
  if (bootState() === 'draining') setResponseHeader(event, 'Connection', 'close')
  if (isBooted() || (bootState() === 'starting' && await startedWithin(HOLD_MS))) return pass(event)
  return sendProblem(event, problem('starting', { retry_after: 5 }))
})

function pass(event: H3Event): void {
  event.context.svc_host = getRuntime().api
}

async function startedWithin(ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => { timer = setTimeout(() => resolve(false), ms) })
  try {
    return await Promise.race([ready.then(() => true), draining.then(() => false), late])
  } finally {
    clearTimeout(timer)
  }
}
