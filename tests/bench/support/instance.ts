import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from '../../../cli/build/server.ts'
import { startEmbedded } from '@svc/embedded-postgres'
import { startBuilt, stop } from '../../support/browser/built-server.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { root } from '../../support/modules/official.ts'

export interface BenchInstance extends Built {
  /** What a further process on the same database and storage needs. */
  env: Record<string, string>
}

/** The built server as a process of its own, on a database of its own that is set up as in production. */
export async function aBenchInstance(say: (line: string) => void): Promise<BenchInstance> {
  await ensureBuilt(root, say)
  const storage = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const embedded = await startEmbedded({ storage, root })
  // Behind one proxy, so that the load comes from as many addresses as its patients would.
  const env = { DATABASE_URL: embedded.url(), SVC_STORAGE: storage, SVC_TRUSTED_PROXIES: '1' }
  const { url, server } = await startBuilt(env)
  const instance = await aBuiltInstance({ url, databaseUrl: env.DATABASE_URL, storage })
  return {
    ...instance,
    env,
    async close() {
      await instance.close()
      await stop(server)
      await embedded.release()
      rmSync(storage, { recursive: true, force: true })
    }
  }
}
