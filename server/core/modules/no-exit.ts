import { AsyncLocalStorage } from 'node:async_hooks'

/** The name of the module whose code is running. */
const foreign = new AsyncLocalStorage<string>()
let isGuarded = false

/**
 * Runs code of a package in which `process.exit()` throws, also in its timers: otherwise it would end the service, and
 * the supervisor would restart it again and again. The host itself can still exit at any time.
 */
export function withoutExit<T>(module: string, work: () => Promise<T>): Promise<T> {
  guard()
  return foreign.run(module, work)
}

/** The package whose code is the caller, however late; null for the service's own code. */
export const runningPackage = (): string | null => foreign.getStore() ?? null

function guard(): void {
  if (isGuarded) return
  isGuarded = true
  const exit = process.exit.bind(process)
  process.exit = (...given) => {
    if (foreign.getStore()) throw new Error(`it called process.exit(${given[0] ?? ''})`)
    return exit(...given) // an argument, even undefined, takes precedence over process.exitCode
  }
}
