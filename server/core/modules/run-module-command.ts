import { reply, type Reply } from '@svc/kit'
import type { Host } from '../host.ts'
import type { By } from '../people/accounts/record-account.ts'
import { runCommand, type CommandRequest } from './commands.ts'

/** Only writes rows: a restart applies them. Answers 200 when there is nothing to do, and for a dry run. */
export async function runModuleCommand(
  { database: { sql }, config, version, secrets }: Host,
  request: CommandRequest,
  who: By
): Promise<Reply> {
  const { changed, answer } = await runCommand({ sql, config, version, secrets: () => secrets, who }, request)
  return reply({ status: changed ? 202 : 200, data: answer })
}
