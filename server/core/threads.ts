import { availableParallelism } from 'node:os'
import { problem, type Ctx } from '@svc/kit'
import { openThread, type Thread, type ThreadLimits } from './thread.ts'

export interface Threads {
  run: Ctx['threads']['run']
  /** Stops running and waiting work. */
  close (): Promise<void>
}

interface Limits extends ThreadLimits { threads: number, waiting: number }
const LIMITS: Limits = {
  // One core is left to the requests. Each thread keeps its loaded code in memory.
  threads: Math.min(Math.max(availableParallelism() - 1, 1), 4),
  waiting: 100,
  timeout_ms: 120_000,
  idle_ms: 60_000,
  memory_mb: 512
}

interface Work { file: string, input: unknown, resolve (output: unknown): void, reject (error: unknown): void }

/**
 * Threads for CPU-intensive work. The first task starts one. If a thread crashes, needs too much memory or takes too
 * long, only its own task fails, and the next task gets a new thread.
 */
export function createThreads(given: Partial<Limits> = {}): Threads {
  const limits = { ...LIMITS, ...given }
  const waiting: Work[] = []
  let threads: Thread[] = []
  let closed = false

  function startNext(): void {
    while (waiting.length > 0) {
      const thread = freeThread(waiting[0]!.file)
      if (!thread) return
      void work(thread, waiting.shift()!)
    }
  }

  /** Null while all are busy. An idle thread that has loaded another file is replaced. */
  function freeThread(file: string): Thread | null {
    threads = threads.filter(thread => thread.state() !== 'closed')
    const idle = threads.filter(thread => thread.state() === 'idle')
    const ready = idle.find(thread => thread.file === file)
    if (ready) return ready
    if (threads.length >= limits.threads && !idle[0]) return null
    if (threads.length >= limits.threads) void idle[0]!.close()
    const fresh = openThread(file, limits)
    threads.push(fresh)
    return fresh
  }

  async function work(thread: Thread, { input, resolve, reject }: Work): Promise<void> {
    await thread.run(input).then(resolve, reject)
    startNext()
  }

  return {
    run: <T>(file: URL, input: unknown) => new Promise<T>((resolve, reject) => {
      if (closed) return reject(new Error('The service is stopping'))
      if (waiting.length >= limits.waiting) return reject(problem('busy', { retry_after: 5 }))
      waiting.push({ file: file.href, input, resolve: output => resolve(output as T), reject })
      startNext()
    }),
    async close() {
      closed = true
      for (const { reject } of waiting.splice(0)) reject(new Error('The service is stopping'))
      await Promise.all(threads.map(thread => thread.close()))
    }
  }
}
