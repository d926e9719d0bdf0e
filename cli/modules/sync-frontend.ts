import { defineCommand } from 'citty'
import { syncFrontend } from '../../server/core/modules/sync-frontend.ts'
import { configuration, withSql } from '../context.ts'
import type { Result } from '../output.ts'
import { table } from './table.ts'

export default defineCommand({
  meta: {
    name: 'sync-frontend',
    description: 'Rewrite modules.json, which names the layers of the build',
    examples: ['svc modules sync-frontend']
  },
  args: {
    'on-disk': {
      type: 'boolean',
      description: 'Take every module on disk without asking the database, to build an image'
    },
    'json': { type: 'boolean', description: 'Print one JSON document' }
  },
  async run({ args }): Promise<Result> {
    const { modules, refused, changed } = args['on-disk']
      ? await syncFrontend(null, configuration())
      : await withSql(syncFrontend)
    const next = changed ? '\n\nmodules.json has changed. Build and restart: npm run build' : ''
    return {
      json: { modules, refused, changed },
      text: [
        table(
          ['NAME', 'PATH'],
          modules.map(({ name, path }) => [name, path])
        ),
        ...(refused.length > 0 ? ['', 'Left out:'] : []),
        ...refused.map(({ name, path, reason }) => `  - ${name} (${path}): ${reason}`)
      ].join('\n') + next
    }
  }
})
