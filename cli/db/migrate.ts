import { defineCommand } from 'citty'
import { takeBootLock } from '../../server/core/db/lock.ts'
import { migrateCore } from '../../server/core/migrate-core.ts'
import { createSecrets } from '../../server/core/secrets.ts'
import { withDatabase } from '../context.ts'
import { consola, type Result } from '../output.ts'

/** The core's tables; a module's own belong to its install and upgrade. */
export default defineCommand({
  meta: {
    name: 'migrate',
    description: 'Bring the core tables up to date',
    examples: ['svc db migrate']
  },
  args: { json: { type: 'boolean', description: 'Print one JSON document' } },
  async run(): Promise<Result> {
    const applied = await withDatabase(async (database, config) => {
      const lock = await takeBootLock(database, { onWait: reason => consola.info(`${reason} ...`) })
      try {
        return await migrateCore(lock, { root: config.root, secrets: () => createSecrets(config) })
      } finally {
        await lock.release()
      }
    })
    return {
      json: { applied },
      text: applied.length === 0 ? 'Nothing to do.' : `Applied:\n${applied.map(name => `  - ${name}`).join('\n')}`
    }
  }
})
