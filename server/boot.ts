import type { Logger } from '@svc/kit'
import { start, type Runtime } from './core/runtime.ts'
import { readConfig, ConfigError, type Config } from './core/config.ts'
import { toDatabaseProblem } from './core/http/database-problems.ts'
import { createLog, describeError } from './core/log.ts'
import type { Bundled } from './core/modules/load.ts'
import { mustBeWritable } from './core/storage-writable.ts'

export type BootState = 'starting' | 'ready' | 'draining'

let config: Config | null = null
let runtime: Runtime | null = null
let state: BootState = 'starting'
let waitsFor: string | null = null
let resolveReady: (runtime: Runtime) => void
let resolveDraining: () => void
const stopping = new AbortController()

/** Settles when every pending module row is processed: from then on requests are answered. */
export const ready = new Promise<Runtime>((resolve) => { resolveReady = resolve })

/** Settles when the process begins to stop, however far its boot came. */
export const draining = new Promise<void>((resolve) => { resolveDraining = resolve })

export const bootState = (): BootState => state

/** What holds the start up, in a sentence. */
export const bootWaitsFor = (): string | null => waitsFor

export const isBooted = (): boolean => runtime !== null

/** The runtime, once `ready`. Throws before: a caller behind the gate never sees that. */
export function getRuntime(): Runtime {
  if (!runtime) throw new Error('the service is still starting')
  return runtime
}

/** From the moment `boot` was called. */
export function getConfig(): Config {
  if (!config) throw new Error('the service does not boot yet')
  return config
}

/** Of the runtime, or one like it while there is none. */
export const getLog = (): Logger => runtime?.host.log ?? createLog(config ?? readConfig(process.env, process.cwd()))

/** An error of the software (`EX_SOFTWARE` of sysexits.h), which `svc start` tries again. */
const NO_PAGES_EXIT = 70

interface Surroundings {
  /** Settles when pages can be answered. */
  pages: () => Promise<void>
}

/**
 * Boots at once, or, under `svc start`, when the process before this one has drained. Ready once the API and the pages
 * can both be answered.
 */
export async function boot(bundled: Bundled, { pages }: Surroundings): Promise<void> {
  try {
    config = readConfig(process.env, process.cwd())
    mustBeWritable(config.storage)
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
    // People and `svc start` read the exit code: 78 is a wrong configuration, 1 anything else.
    console.error(error instanceof ConfigError ? error.message : describe(error))
    process.exit(error instanceof ConfigError ? 78 : 1)
  }
}

/** A layer's plugin that throws, a bundle that was replaced: another start may do better. */
function onPagesLoadFailed(error: unknown): void {
  if (state === 'draining') return
  console.error('The pages cannot be loaded:', error)
  process.exit(NO_PAGES_EXIT)
}

/** No longer ready; closes what the runtime holds. Safe to call twice. */
export async function shutDown(): Promise<void> {
  stopping.abort()
  const running = runtime
  runtime = null
  await running?.close()
}

/** No longer ready. Jobs end beside the requests that are in flight, so that both have the same ten seconds. */
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

/** Errors whose message is the whole text for the operator; of any other the stack is worth more. */
const FOR_OPERATORS = new Set(['OrphanError', 'DatabaseError', 'LockLostError'])

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (FOR_OPERATORS.has(error.name)) return error.message
  const isAway = toDatabaseProblem(error, {}) !== null
  return isAway
    ? `the database was lost during the start: ${describeError(error).message}`
    : (error.stack ?? error.message)
}
