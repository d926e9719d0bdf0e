import cluster, { type Worker } from 'node:cluster'

/**
 * Runs the built server and starts it again. The listening socket belongs to this process and is handed to the
 * server, so that requests wait in it during a restart:
 *
 *   the server gets SIGTERM (from whom ever) and says 'draining', still answering
 *   → the next one is forked; it listens, and holds what arrives until it is told to boot
 *   → the old one is told 'close', finishes what is in flight, says 'closed', is told 'exit', exits 0
 *   → the new one is told 'boot'
 */
export interface Supervised {
  /** Resolves with the exit code when no server runs any more. */
  ended: Promise<number>
  /** Drains and ends; `exit` is the code then. Again: at once. */
  stop(exit: number): void
}

export interface SupervisorOptions {
  /** The built server's file. */
  entry: string
  env: Record<string, string | undefined>
  /** The server that takes the requests now, each time it listens. */
  onListening(server: { pid: number, host: string, port: number }): void
  tell(line: string): void
}

/** `steady`: it ran long enough not to have crashed at its start. */
interface Ending { code: number | null, signal: string | null, steady: boolean }

/** A server that ends with one of these says that another start would end alike. */
const FINAL_EXITS = new Set([1, 78])
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 30_000
const STEADY_MS = 60_000

export function supervise({ entry, env, onListening, tell }: SupervisorOptions): Supervised {
  let current: Worker | null = null
  let successor: Worker | null = null
  let exit: number | null = null
  let pause = FIRST_PAUSE_MS
  let pausing: NodeJS.Timeout | undefined
  const listening = new WeakSet<Worker>()
  const { promise: ended, resolve: end } = Promise.withResolvers<number>()

  cluster.setupPrimary({ exec: entry, args: [], silent: false })

  function fork(): Worker {
    const startedAt = performance.now()
    const worker = cluster.fork({ ...env, SVC_SUPERVISED: '1' })
    worker.on('listening', (address) => {
      listening.add(worker)
      onListening({ pid: worker.process.pid!, host: address.address, port: address.port })
    })
    worker.on('message', (message) => {
      if (message === 'draining') replace(worker)
      // Messages keep their order: what was handed to it before has been handed back when it reads this.
      if (message === 'closed') tellWorker(worker, 'exit')
    })
    worker.on('exit', (code, signal) => onExit(worker, { code, signal, steady: performance.now() - startedAt > STEADY_MS }))
    return worker
  }

  function boot(worker: Worker) {
    if (listening.has(worker)) return tellWorker(worker, 'boot')
    worker.once('listening', () => tellWorker(worker, 'boot'))
  }

  /** The new one listens before the old one closes: the socket has an owner all the time. */
  function replace(old: Worker) {
    if (exit !== null || old !== current || successor) return tellWorker(old, 'close')
    successor = fork()
    successor.once('listening', () => tellWorker(old, 'close'))
  }

  function onExit(worker: Worker, how: Ending) {
    if (worker === successor) successor = null
    else if (worker === current) current = null
    if (exit === null && how.code !== null && FINAL_EXITS.has(how.code)) stop(how.code)
    if (exit !== null) return endWhenAlone()
    if (current) return tellWorker(current, 'close') // its successor died before it could take over
    if (successor) {
      current = successor
      successor = null
      return boot(current)
    }
    startAgain(how)
  }

  function startAgain({ code, signal, steady }: Ending) {
    if (steady || code === 0) pause = FIRST_PAUSE_MS
    if (code === 0) return start()
    tell(`The server ended unexpectedly (${signal ?? `exit ${code}`}); it is started again in ${pause / 1000} s.`)
    pausing = setTimeout(start, pause)
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
  }

  function start() {
    current = fork()
    boot(current)
  }

  function stop(code: number) {
    const again = exit !== null
    exit ??= code
    clearTimeout(pausing)
    for (const worker of alive()) worker.process.kill(again ? 'SIGKILL' : 'SIGTERM')
    endWhenAlone()
  }

  function endWhenAlone() {
    if (alive().length === 0) end(exit ?? 0)
  }

  start()
  return { ended, stop }
}

const alive = (): Worker[] => Object.values(cluster.workers ?? {}).filter(worker => worker !== undefined && !worker.isDead())

/** A process that is gone hears nothing; its 'exit' says so. */
function tellWorker(worker: Worker, word: 'boot' | 'close'): void {
  if (worker.isConnected()) worker.send(word, () => {})
}
