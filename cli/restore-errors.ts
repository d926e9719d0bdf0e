import { RestoreError } from '../server/core/modules/backup/restore.ts'
import { CliError, EXIT } from './errors.ts'

/** An unknown file is a usage error; a module or a database that isn't ready for it is a refusal. */
const EXITS: Record<RestoreError['code'], number> = {
  backup_not_found: EXIT.usage, backup_damaged: EXIT.failure, restore_failed: EXIT.failure,
  not_installed: EXIT.refused, wrong_version: EXIT.refused, not_empty: EXIT.refused
}

/** For `catch`: throws the error for the operator. */
export function asCliError(error: unknown): never {
  if (!(error instanceof RestoreError)) throw error
  throw new CliError({ code: error.code, message: error.message, hint: error.hint, exit: EXITS[error.code] })
}
