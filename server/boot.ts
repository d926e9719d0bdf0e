import type { Logger } from '@svc/kit'
import { start, type Runtime } from './core/runtime.ts'
import { readConfig, ConfigError, type Config } from './core/config.ts'
import { toDatabaseProblem } from './core/http/database-problems.ts'
import { createLog, describeError } from './core/log.ts'
import type { Bundled } from './core/modules/load.ts'
import { assertWritable } from './core/storage-writable.ts'

export type BootState = 'starting' | 'ready' | 'draining'

let config: Config | null = null
let runtime: Runtime | null = null
let state: BootState = 'starting'
let waitsFor: string | null = null
let resolveReady: (runtime: Runtime) => void
let resolveDraining: () => void
const stopping = new AbortController()

/** Settles when every pending module row has been processed: from then on requests are answered. */
export const ready = new Promise<Runtime>((resolve) => { resolveReady = resolve })

/** Settles when the process begins to stop, however far its boot has come. */
export const draining = new Promise<void>((resolve) => { resolveDraining = resolve })

export const bootState = (): BootState => state

/** What the start is waiting for, as a sentence. */
export const bootWaitsFor = (): string | null => waitsFor

export const isBooted = (): boolean => runtime !== null

/** The runtime, once `ready`. Throws before that, which a caller behind the gate never sees. */
export function getRuntime(): Runtime {
  if (!runtime) throw new Error('the service is still starting')
  return runtime
}

/** Available once `boot` has been called. */
export function getConfig(): Config {
  if (!config) throw new Error('the service does not boot yet')
  return config
}

/** The runtime's log, or an equivalent one before there is a runtime. */
export const getLog = (): Logger => runtime?.host.log ?? createLog(config ?? readConfig(process.env, process.cwd()))

/** A software error (`EX_SOFTWARE` of sysexits.h), after which `svc start` tries again. */
const NO_PAGES_EXIT = 70

interface Surroundings {
  /** Settles when pages can be drawn. */
  pages: () => Promise<void>
}

/**
 * Boots at once, or, under `svc start`, when the previous process has drained. Ready once both the API and the pages
 * can be answered.
 */
export async function boot(bundled: Bundled, { pages }: Surroundings): Promise<void> {
  try {
    config = readConfig(process.env, process.cwd())
    assertWritable(config.storage)
    if (process.env.SVC_SUPERVISED) await receiveMessage('boot')
    runtime = await start(config, bundled, {
      signal: stopping.signal,
      stop: () => process.kill(process.pid, 'SIGTERM'),
      onWait: (reason) => { waitsFor = reason },
      setup_follows: process.env.SVC_SETUP_FOLLOWS === '1'
    })
    resolveReady(runtime)
    await pages().catch(onPagesLoadFailed)
    if (state === 'starting') state = 'ready'
  } catch (error) {
    if (stopping.signal.aborted) return
    // People and `svc start` read the exit code: 78 is an invalid configuration, 1 anything else.
    console.error(error instanceof ConfigError ? error.message : describe(error))
    process.exit(error instanceof ConfigError ? 78 : 1)
  }
}

/** A layer's plugin has thrown, or the bundle was replaced. Another start may succeed. */
function onPagesLoadFailed(error: unknown): void {
  if (state === 'draining') return
  console.error('The pages cannot be loaded:', error)
  process.exit(NO_PAGES_EXIT)
}

/** Marks the process as not ready and closes what the runtime holds. Safe to call twice. */
export async function shutDown(): Promise<void> {
  stopping.abort()
  const running = runtime
  runtime = null
  await running?.close()
}

/**
 * Marks the process as not ready. Jobs finish in parallel with requests in flight, so that both have the same ten
 * seconds.
 */
export function drain(): void {
  state = 'draining'
  resolveDraining()
  runtime?.drain()
}

function receiveMessage(word: string): Promise<void> {
  return new Promise((resolve) => {
    process.on('message', (message) => { if (message === word) resolve() })
  })
}

/** Errors whose message tells operators everything; all others are printed with their stack. */
const FOR_OPERATORS = new Set(['OrphanError', 'DatabaseError', 'LockLostError'])

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (FOR_OPERATORS.has(error.name)) return error.message
  const isAway = toDatabaseProblem(error, {}) !== null
  return isAway
    ? `the database was lost during the start: ${describeError(error).message}`
    : (error.stack ?? error.message)
}
