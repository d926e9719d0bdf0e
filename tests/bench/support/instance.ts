import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from '../../../cli/build/server.ts'
import { startEmbedded } from '@svc/embedded-postgres'
import { startBuilt, stop } from '../../support/browser/built-server.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { root } from '../../support/modules/official.ts'
import { buildBare, type Bare, type BareName } from './bare.ts'
import type { Size } from './measure.ts'

export interface BenchInstance extends Built {
  /** The environment for another process on the same database and storage. */
  env: Record<string, string>
  /** The size of the rows. */
  size: Size
  /** A server to compare with, built once. */
  bare (name: BareName): Promise<Bare>
}

/** The built server as a separate process with its own database, set up as in production. */
export async function aBenchInstance(
  say: (line: string) => void,
  size: Size = 'full',
  /** For this server only, not for others beside it. */ own: Record<string, string> = {}
): Promise<BenchInstance> {
  await ensureBuilt(root, say)
  const storage = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const embedded = await startEmbedded({ storage, root })
  // Behind one proxy, so that the load comes from as many addresses as there are patients.
  const env = { DATABASE_URL: embedded.url(), SVC_STORAGE: storage, SVC_TRUSTED_PROXIES: '1' }
  const { url, server } = await startBuilt({ ...env, ...own })
  const instance = await aBuiltInstance({ url, databaseUrl: env.DATABASE_URL, storage })
  const bares = new Map<BareName, Promise<Bare>>()
  return {
    ...instance,
    env,
    size,
    bare(name) {
      if (!bares.has(name)) bares.set(name, buildBare(name))
      return bares.get(name)!
    },
    async close() {
      for (const bare of bares.values()) (await bare).remove()
      await instance.close()
      await stop(server)
      await embedded.release()
      rmSync(storage, { recursive: true, force: true })
    }
  }
}
