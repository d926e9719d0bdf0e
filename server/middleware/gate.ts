import { defineEventHandler, setResponseHeader } from 'h3'
import { problem } from '@svc/kit'
import { bootState, draining, isBooted, ready } from '../boot.ts'
import { sendProblem } from '../core/http/problems.ts'

const HOLD_MS = 30_000

/** Until boot is done only the probes are answered; everything else waits, 30 s at most, and not for a process that ends. */
export default defineEventHandler(async (event) => {
  if (bootState() === 'ready') return
  if (event.path === '/livez' || event.path === '/readyz') return
  if (bootState() === 'draining') setResponseHeader(event, 'Connection', 'close')
  if (isBooted() || (bootState() === 'starting' && await startedWithin(HOLD_MS))) return
  return sendProblem(event, problem('starting', { retry_after: 5 }))
})

async function startedWithin(ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => { timer = setTimeout(() => resolve(false), ms) })
  try {
    return await Promise.race([ready.then(() => true), draining.then(() => false), late])
  } finally {
    clearTimeout(timer)
  }
}
