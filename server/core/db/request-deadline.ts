import { AsyncLocalStorage } from 'node:async_hooks'
import { problem, type Problem } from '@svc/kit'

/** For how long a request waits for a commit that waits for a synchronous standby. */
const LATE_MS = 10_000
const AGAIN_MS = 2000

interface Patience {
  /** Throws `commits_waiting`. */
  assertNotOver(): void
  /**
   * Asks the same right before the commit of what was written. After it nothing stops the request: what follows belongs
   * to it.
   */
  beforeCommit(): void
}
const requests = new AsyncLocalStorage<Patience>()

/** Of the request that is being handled; undefined in jobs, which wait. */
export const currentPatience = (): Patience | undefined => requests.getStore()

/** For what a request begins and does not wait for, or must still do after it was refused. */
export const outsidePatience = <T>(run: () => T): T => requests.exit(run)

const commitsWaiting = (): Problem => problem('commits_waiting', { retry_after: LATE_MS / 1000 })

/**
 * Throws `commits_waiting` when `run` takes ten seconds while commits wait for a standby. What it has sent to be
 * committed may still be committed later, with the transactions that follow it; of a request that has sent nothing by
 * then nothing is committed. Otherwise it may take any time.
 */
export async function withPatience<T>(run: () => Promise<T>, commitsWait: () => Promise<boolean>): Promise<T> {
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
    answer.catch(() => {}) // its refusal is this one
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
