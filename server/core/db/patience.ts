import { AsyncLocalStorage } from 'node:async_hooks'
import { problem, type Problem } from '@svc/kit'

/** For how long a request waits for a commit that waits for a synchronous standby. */
const LATE_MS = 10_000
const AGAIN_MS = 2000

interface Patience { assertNotOver(): void }
const requests = new AsyncLocalStorage<Patience>()

/** Of the request that is being handled; undefined in jobs, which wait. */
export const currentPatience = (): Patience | undefined => requests.getStore()

const commitsWaiting = (): Problem => problem('commits_waiting', { retry_after: LATE_MS / 1000 })

/**
 * Throws `commits_waiting` when `run` takes ten seconds while commits wait for a standby. What it has sent to be
 * committed may still be committed later; what it has not sent by then is rolled back. Otherwise it may take any time.
 */
export async function withPatience<T>(run: () => Promise<T>, commitsWait: () => Promise<boolean>): Promise<T> {
  let isOver = false
  const assertNotOver = () => {
    if (isOver) throw commitsWaiting()
  }
  const answer = requests.run({ assertNotOver }, run)
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
