import type { Config } from '../server/core/config.ts'
import { noteRunning, serverEntry } from './build/aside.ts'
import { EXIT } from './errors.ts'
import { forgetInstance, localUrl, recordInstance } from './instance.ts'
import { consola } from './output.ts'
import { supervise } from './supervisor.ts'

export interface RunningServer {
  /** Its address for this machine, once it listens. */
  url: Promise<string>
  /** The exit code, once it has ended for any reason. */
  ended: Promise<number>
  stop(exit: number): void
}

/** Starts and supervises the built server until a signal or a final exit ends it. */
export function runServer(config: Config, env: Record<string, string> = {}): RunningServer {
  const { promise: url, resolve } = Promise.withResolvers<string>()
  const { ended, stop } = supervise({
    entry: serverEntry(config.root),
    env: { ...env, ...given() },
    print: line => consola.warn(line),
    onListening({ pid, host, port }) {
      noteRunning(config.root, pid)
      recordInstance(config, { pid: process.pid, server_pid: pid, url: localUrl(host, port) })
      resolve(localUrl(host, port))
    }
  })
  process.on('SIGINT', () => stop(EXIT.interrupted))
  process.on('SIGTERM', () => stop(EXIT.done))
  process.on('SIGHUP', () => stop(EXIT.done))
  return { url, stop, ended: ended.finally(() => forgetInstance(config)) }
}

/** The environment overrides our defaults; an empty value counts as unset. */
function given(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''))
}
