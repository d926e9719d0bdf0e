import type { Logger } from '@svc/kit'
import { runningPackage } from './no-exit.ts'

const EVENTS = { unhandledRejection: 'process.unhandled_rejection', uncaughtException: 'process.uncaught_exception' }

/**
 * A rejection without a handler, or an error in a timer, must not abort the requests of others. It is logged with the
 * name of the package that caused it, or null for the service itself and its libraries.
 */
export function logLateErrors(log: () => Pick<Logger, 'error'>): void {
  for (const [name, event] of Object.entries(EVENTS))
    process.on(name, (error: unknown) => log().error(event, { module: runningPackage(), error }))
}
