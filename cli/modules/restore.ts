import { defineCommand } from 'citty'
import { restoreBackup, type Restored } from '../../server/core/modules/backup/restore.ts'
import { withDatabase } from '../context.ts'
import type { Result } from '../output.ts'
import { asCliError } from '../restore-errors.ts'

export default defineCommand({
  meta: {
    name: 'restore',
    description: 'Restore the data of a backup into its module, which is installed again; all or nothing',
    examples: ['svc modules restore module_recall_20261123T101500Z.sql']
  },
  args: {
    file: { type: 'positional', description: 'A path, or a name of svc modules backups', required: true },
    json: { type: 'boolean', description: 'Print one JSON document' }
  },
  async run({ args }): Promise<Result> {
    const restored = await withDatabase((database, config) => restoreBackup({ database, config }, args.file)).catch(
      asCliError
    )
    return { json: restored, text: toText(restored) }
  }
})

function toText({ file, module, rows }: Restored): string {
  return [
    `Restored ${module} from ${file}:`,
    ...Object.entries(rows).map(([name, count]) => `  - ${name}: ${count} rows`)
  ].join('\n')
}
