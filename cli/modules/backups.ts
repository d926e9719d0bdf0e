import { defineCommand } from 'citty'
import { listBackups } from '../../server/core/modules/backup/backup.ts'
import { configuration } from '../context.ts'
import type { Result } from '../output.ts'
import { table } from './table.ts'

/** Reads only files, so that it works without the database. */
export default defineCommand({
  meta: {
    name: 'backups',
    description: 'List the backups of removed modules, newest first',
    examples: ['svc modules backups']
  },
  args: { json: { type: 'boolean', description: 'Print one JSON document' } },
  async run(): Promise<Result> {
    const backups = await listBackups(configuration())
    const rows = backups.map(({ file, module, version, revision, created_at, bytes, rows }) => [
      file,
      module,
      version ?? '-',
      revision ?? '-',
      created_at,
      String(Object.values(rows).reduce((a, b) => a + b, 0)),
      String(bytes)
    ])
    return { json: backups, text: table(['FILE', 'MODULE', 'VERSION', 'REVISION', 'CREATED', 'ROWS', 'BYTES'], rows) }
  }
})
