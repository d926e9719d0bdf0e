import { defineCommand } from 'citty'
import { RestoreError, restoreBackup, type Restored } from '../../server/core/modules/restore.ts'
import { withDatabase } from '../context.ts'
import { CliError, EXIT } from '../errors.ts'
import type { Result } from '../output.ts'

/** A file that nobody knows is a mistake in typing; a module that is not ready for it is a refusal. */
const EXITS: Record<RestoreError['code'], number> = {
  backup_not_found: EXIT.usage, backup_damaged: EXIT.failure, restore_failed: EXIT.failure,
  not_installed: EXIT.refused, wrong_version: EXIT.refused, not_empty: EXIT.refused
}

export default defineCommand({
  meta: { name: 'restore', description: 'Put the data of a backup into the module that is installed again, all or nothing' },
  args: {
    file: { type: 'positional', description: 'A path, or a name of svc modules backups', required: true },
    json: { type: 'boolean', description: 'Print one JSON document' }
  },
  async run({ args }): Promise<Result> {
    const restored = await withDatabase((database, config) => restoreBackup({ database, config }, args.file)).catch((error: unknown) => {
      if (!(error instanceof RestoreError)) throw error
      throw new CliError({ code: error.code, message: error.message, hint: error.hint, exit: EXITS[error.code] })
    })
    return { json: restored, text: toText(restored) }
  }
})

function toText({ file, module, rows }: Restored): string {
  return [`Restored ${module} from ${file}:`, ...Object.entries(rows).map(([name, count]) => `  - ${name}: ${count} rows`)].join('\n')
}
