import { Worker } from 'node:worker_threads'

/**
 * Imports the file once and calls its default export for each message. It is text because the bundle doesn't contain
 * separate files.
 */
const ENTRY = `
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads')
  const loaded = import(workerData)
  loaded.catch(() => {}) // the answer to the first message says so
  parentPort.on('message', async (input) => {
    try {
      const { default: work } = await loaded
      parentPort.postMessage({ output: await work(input) })
    } catch (error) {
      parentPort.postMessage({ error: error instanceof Error ? error : new Error(String(error)) })
    }
  })`

interface Answer { error?: Error, output?: unknown }
export interface ThreadLimits { timeout_ms: number, idle_ms: number, memory_mb: number }
export type Thread = ReturnType<typeof openThread>

/**
 * A thread for the work of one file, one task at a time. It keeps the process alive only while it works, and ends after
 * `idle_ms` without work.
 */
export function openThread(file: string, { timeout_ms, idle_ms, memory_mb }: ThreadLimits) {
  const resourceLimits = { maxOldGenerationSizeMb: memory_mb }
  const worker = new Worker(ENTRY, { eval: true, workerData: file, resourceLimits })
  let state: 'idle' | 'busy' | 'closed' = 'idle'
  let idle: NodeJS.Timeout | undefined
  let fail: (error: Error) => void = () => {}

  worker.unref()
  worker.on('error', end) // out of memory, or an unhandled error in the thread
  worker.on('exit', () => end(new Error('The thread ended before its work was done')))

  function end(error: Error): void {
    state = 'closed'
    clearTimeout(idle)
    fail(error)
  }

  async function close(error = new Error('The thread was closed')): Promise<void> {
    end(error)
    await worker.terminate()
  }

  /** Throws the error of the work (its name, message and stack), or an error if the thread ends meanwhile. */
  async function run(input: unknown): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    state = 'busy'
    clearTimeout(idle)
    fail = reject
    const late = setTimeout(() => {
      void close(new Error(`The work was stopped: it took longer than ${timeout_ms / 1000} s`))
    }, timeout_ms)
    worker.once('message', ({ error, output }: Answer) => error ? reject(error) : resolve(output))
    worker.ref()
    try {
      worker.postMessage(input)
      return await promise
    } finally {
      clearTimeout(late)
      worker.removeAllListeners('message')
      worker.unref()
      rest()
    }
  }

  function rest(): void {
    if (state === 'closed') return
    state = 'idle'
    idle = setTimeout(() => void close(), idle_ms).unref()
  }

  return { file, run, close, state: () => state }
}
