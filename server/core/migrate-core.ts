import { join } from 'node:path'
import { startEarlierChains } from './audit/start-chain.ts'
import { sealEarlierRows } from './people/seals/seal-earlier-rows.ts'
import type { SealingSecrets } from './people/seals/row-seals.ts'
import type { BootLock } from './db/lock.ts'
import { migrateTo } from './db/migrate.ts'

/** Migrates the core's own branch. `secrets` is called only if rows of an earlier release must be sealed. */
export async function migrateCore(
  lock: BootLock,
  { root, secrets }: { root: string, secrets: () => SealingSecrets }
): Promise<string[]> {
  return await migrateTo(lock, {
    module: 'core',
    folder: join(root, 'drizzle'),
    target: 'head',
    after: {
      '0012_row_seals': ({ db }) => sealEarlierRows(db, secrets()),
      '0019_audit': ({ db }) => startEarlierChains(db, secrets())
    }
  })
}
