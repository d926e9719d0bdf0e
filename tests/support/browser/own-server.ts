import type { ChildProcess } from 'node:child_process'
import { startEmbedded } from '@svc/embedded-postgres'
import { aBuiltInstance, type Built } from './built.ts'
import { spawnBuilt, startBuilt, stop } from './built-server.ts'
import { aFolder } from '../cli.ts'
import { root } from '../modules/official.ts'

export interface OwnServer {
  built: Built
  /** For a separate connection of the test. */
  databaseUrl: string
  /** The current or last process. */
  process: ChildProcess
  /** Starts it again with the same database, storage and port, once the process has ended. */
  startAgain (): Promise<void>
  /** The same without waiting until it is ready. */
  beginAgain (): Promise<void>
  close (): Promise<void>
}

/**
 * A built server that a test file may stop and kill: it is not shared, and its database and storage survive as on a
 * real disk.
 */
export async function anOwnServer(settings: Record<string, string> = {}): Promise<OwnServer> {
  const folder = aFolder()
  const embedded = await startEmbedded({ storage: folder.path, root })
  const env: Record<string, string> = { ...settings, DATABASE_URL: embedded.url(), SVC_STORAGE: folder.path }
  const started = await startBuilt(env)
  env.PORT = new URL(started.url).port
  const built = await aBuiltInstance({ url: started.url, databaseUrl: embedded.url(), storage: folder.path })
  const own: OwnServer = {
    built,
    databaseUrl: embedded.url(),
    process: started.server,
    async startAgain() { own.process = (await startBuilt(env)).server },
    async beginAgain() { own.process = (await spawnBuilt(env)).server },
    async close() {
      await stop(own.process)
      await built.close()
      await embedded.release()
      folder.remove()
    }
  }
  return own
}
