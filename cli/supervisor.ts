import cluster, { type Worker } from 'node:cluster'

/**
 * Node's options for the server. They come after those of `bin/svc`, and so override them: with such a small young
 * generation, garbage collection costs a sixth of a server's throughput.
 */
export const SERVER_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=100']

export interface Supervised {
  /** Resolves with the exit code once no server is running. */
  ended: Promise<number>
  /** Drains and ends with the code `exit`. A second call ends it at once. */
  stop(exit: number): void
}

export interface SupervisorOptions {
  /** The built server's file. */
  entry: string
  env: Record<string, string | undefined>
  /** The server that takes the requests now, each time it listens. */
  onListening(server: { pid: number, host: string, port: number }): void
  print(line: string): void
}

/** `steady`: it ran long enough not to have crashed at its start. */
interface ServerExit { code: number | null, signal: string | null, steady: boolean }

/** With these exit codes a server reports that another start would fail too. */
const FINAL_EXITS = new Set([1, 78])
const FIRST_PAUSE_MS = 250
const MAX_PAUSE_MS = 30_000
const STEADY_MS = 60_000

/**
 * Runs the built server and starts it again. The listening socket belongs to this process and is shared with
 * the server, so that requests wait in it during a restart:
 *
 *   the server gets SIGTERM (from anywhere) and sends 'draining', still answering
 *   → the next one is forked; it listens, and queues requests until it gets 'boot'
 *   → the old one gets 'close', finishes requests in flight, exits 0
 *   → the new one gets 'boot'
 */
export function supervise(options: SupervisorOptions): Supervised {
  let current: Worker | null = null
  let successor: Worker | null = null
  let exit: number | null = null
  let pause = FIRST_PAUSE_MS
  let pausing: NodeJS.Timeout | undefined
  const { promise: ended, resolve: end } = Promise.withResolvers<number>()
  // The server itself accepts connections. By default the primary would accept and pass them on, and a connection on
  // its way to a dying server would wait forever.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ exec: options.entry, args: [], execArgv: [...process.execArgv, ...SERVER_FLAGS] })

  const fork = () => forkServer(options, { onDraining: replace, onExit })

  function start() {
    current = fork()
    tellWhenListening(current, 'boot')
  }

  /** The new server listens before the old one closes, so that the socket always has an owner. */
  function replace(old: Worker) {
    if (exit !== null || old !== current || successor) return sendWord(old, 'close')
    successor = fork()
    successor.once('listening', () => sendWord(old, 'close'))
  }

  function onExit(worker: Worker, how: ServerExit) {
    if (worker === successor) successor = null
    if (worker === current) current = null
    if (exit === null && how.code !== null && FINAL_EXITS.has(how.code)) stop(how.code)
    if (exit !== null) return endWhenAlone()
    if (current) return sendWord(current, 'close') // the next server died before it could take over
    if (!successor) return startAgain(how)
    current = successor
    successor = null
    tellWhenListening(current, 'boot')
  }

  function startAgain({ code, signal, steady }: ServerExit) {
    if (steady || code === 0) pause = FIRST_PAUSE_MS
    if (code === 0) return start()
    options.print(`Server exited (${signal ?? `code ${code}`}). Restarting in ${pause / 1000} s.`)
    pausing = setTimeout(start, pause)
    pause = Math.min(pause * 2, MAX_PAUSE_MS)
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

const listening = new WeakSet<Worker>()

function forkServer({ env, onListening }: SupervisorOptions, { onDraining, onExit }: {
  onDraining(worker: Worker): void
  onExit(worker: Worker, how: ServerExit): void
}): Worker {
  const startedAt = performance.now()
  const worker = cluster.fork({ ...env, SVC_SUPERVISED: '1' })
  worker.on('listening', ({ address, port }) => {
    listening.add(worker)
    onListening({ pid: worker.process.pid!, host: address, port })
  })
  worker.on('message', (message) => {
    if (message === 'draining') onDraining(worker)
  })
  worker.on('exit', (code, signal) =>
    onExit(worker, { code, signal, steady: performance.now() - startedAt > STEADY_MS })
  )
  return worker
}

const alive = (): Worker[] =>
  Object.values(cluster.workers ?? {}).flatMap(worker => (worker && !worker.isDead() ? [worker] : []))

function tellWhenListening(worker: Worker, word: 'boot'): void {
  if (listening.has(worker)) sendWord(worker, word)
  else worker.once('listening', () => sendWord(worker, word))
}

/** Ignores a process that has ended; its 'exit' event handles that. */
function sendWord(worker: Worker, word: 'boot' | 'close'): void {
  if (worker.isConnected()) worker.send(word, () => {})
}
