import { AsyncLocalStorage } from 'node:async_hooks'
import { problem, type Problem } from '@svc/kit'

/** How long a request waits while commits wait for a synchronous standby. */
const LATE_MS = 10_000
const AGAIN_MS = 2000

interface Deadline {
  /** Throws `commits_waiting`. */
  assertNotOver(): void
  /**
   * The same check, right before the commit of what was written. After it nothing stops the request, because the
   * following work belongs to it.
   */
  beforeCommit(): void
}
const requests = new AsyncLocalStorage<Deadline>()

/** The deadline of the current request; undefined in jobs, which simply wait. */
export const currentDeadline = (): Deadline | undefined => requests.getStore()

/** For work that a request starts without waiting, or must still do after it was refused. */
export const outsideDeadline = <T>(run: () => T): T => requests.exit(run)

const commitsWaiting = (): Problem => problem('commits_waiting', { retry_after: LATE_MS / 1000 })

/**
 * Throws `commits_waiting` if `run` takes ten seconds while commits wait for a standby. A commit that was already sent
 * may still succeed later, together with the transactions that follow it. If the request had sent none by then, nothing
 * is committed. If no commits wait, `run` may take any time.
 */
export async function withDeadline<T>(run: () => Promise<T>, commitsWait: () => Promise<boolean>): Promise<T> {
  let isOver = false
  let hasCommitted = false
  const assertNotOver = () => {
    if (isOver && !hasCommitted) throw commitsWaiting()
  }
  const beforeCommit = () => {
    assertNotOver()
    hasCommitted = true
  }
  const answer = requests.run({ assertNotOver, beforeCommit }, async () => await run())
  for (let ms = LATE_MS; ; ms = AGAIN_MS) {
    if (await isSettledWithin(ms, answer)) return await answer
    isOver = await commitsWait()
    if (!isOver) continue
    answer.catch(() => {}) // the refusal replaces its error
    throw commitsWaiting()
  }
}

async function isSettledWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false)
  })
  try {
    return await Promise.race([work.then(() => true, () => true), late])
  } finally {
    clearTimeout(timer)
  }
}
