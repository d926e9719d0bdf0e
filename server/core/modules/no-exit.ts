import { AsyncLocalStorage } from 'node:async_hooks'

/** The name of the module whose code runs. */
const foreign = new AsyncLocalStorage<string>()
let isGuarded = false

/**
 * Runs code of a package, in which `process.exit()` throws, in its timers too: it would end the service, and whatever
 * runs that would start it again for ever. The host's own exit, also meanwhile, is as it was.
 */
export function withoutExit<T>(module: string, work: () => Promise<T>): Promise<T> {
  guard()
  return foreign.run(module, work)
}

/** Of the package whose code this is called from, however late; null for the service's own. */
export const runningPackage = (): string | null => foreign.getStore() ?? null

function guard(): void {
  if (isGuarded) return
  isGuarded = true
  const exit = process.exit.bind(process)
  process.exit = (...given) => {
    if (foreign.getStore()) throw new Error(`it called process.exit(${given[0] ?? ''})`)
    return exit(...given) // a code that is given, be it undefined, counts instead of process.exitCode
  }
}
