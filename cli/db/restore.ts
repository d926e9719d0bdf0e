import path from 'node:path'
import { defineCommand } from 'citty'
import { restoreDump } from '../../server/core/dump/restore-dump.ts'
import { withDatabase } from '../context.ts'
import { consola, type Result } from '../output.ts'
import { asCliError } from '../restore-errors.ts'

export default defineCommand({
  meta: {
    name: 'restore',
    description: 'Restore a dump into an empty database, all or nothing; needs the same SVC_SECRET',
    examples: ['DATABASE_URL=postgres://… svc db restore clinic.sql']
  },
  args: {
    file: { type: 'positional', description: 'A file that svc db dump wrote', required: true },
    json: { type: 'boolean', description: 'Print one JSON document' }
  },
  async run({ args }): Promise<Result> {
    const file = path.resolve(args.file)
    const { version, rows } = await withDatabase((database, config) => restoreDump({ database, config }, file)).catch(
      asCliError
    )
    consola.info('Restore the documents too (storage/documents), start the service and run: svc modules doctor')
    const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
    return {
      json: { file, version, rows },
      text: `Restored ${total} rows in ${Object.keys(rows).length} tables, written by version ${version}.`
    }
  }
})
