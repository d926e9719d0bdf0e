import type { ArgsDef } from 'citty'
import { isProblem } from '@svc/kit'
import product from '../../package.json' with { type: 'json' }
import {
  runCommand,
  type Command,
  type CommandRequest,
  type PlanStep,
  type Scheduled
} from '../../server/core/modules/commands.ts'
import { OPERATOR } from '../../server/core/people/accounts/record-account.ts'
import { createSecrets } from '../../server/core/secrets.ts'
import { checkSecretOf } from '../../server/core/people/seals/used-secrets.ts'
import { withSql } from '../context.ts'
import { unknownModule } from '../errors.ts'
import type { Result } from '../output.ts'
import { findRestartHint } from './restart-hint.ts'

/** The arguments that all five commands accept. */
export const commonArgs = {
  'name': { type: 'positional', description: 'Name of the module', required: true },
  'dry-run': { type: 'boolean', description: 'Print what a restart would do; change nothing' },
  'json': { type: 'boolean', description: 'Print one JSON document' }
} as const satisfies ArgsDef

const HEADS: Record<Command, string> = {
  install: 'Scheduled for install on next restart:',
  upgrade: 'Scheduled for upgrade on next restart:',
  uninstall: 'Scheduled for uninstall on next restart:',
  orphan: 'Marked as uninstalled:',
  cancel: 'Cancelled:'
}

/** Throws the guardrail's refusal (exit 3), and a usage error for an unknown name. */
export async function runScheduling(request: CommandRequest): Promise<Result> {
  return withSql(async (sql, config) => {
    if (!request.dry_run) await checkSecretOf(sql, config)
    const host = { sql, config, version: product.version, secrets: () => createSecrets(config), who: OPERATOR }
    const { answer } = await runCommand(host, request).catch((error: unknown) => {
      throw isProblem(error) && error.code === 'not_found' ? unknownModule(request.name) : error
    })
    if (request.dry_run) return { json: answer, text: rehearsal(request, answer) }
    const restart = answer.requires_restart ? ['', ...(await findRestartHint(config)).steps] : []
    return { json: answer, text: [...report(request, answer), ...restart].join('\n') }
  })
}

function report({ command }: CommandRequest, { scheduled, message }: Scheduled): string[] {
  return [
    ...(scheduled.length > 0 ? [HEADS[command], ...scheduled.map(name => `  - ${name}`)] : []),
    ...(message ? [message] : [])
  ]
}

function rehearsal(request: CommandRequest, answer: Scheduled): string {
  const { plan = [], guardrails = [] } = answer
  return [
    'Nothing was changed.',
    ...report(request, answer).map(line =>
      line.replace(/^Scheduled/, 'Would be scheduled').replace(/^Marked/, 'Would be marked')
    ),
    ...(guardrails.length > 0 ? ['Refused by guardrails:', ...guardrails.map(reason => `  - ${reason}`)] : []),
    plan.length > 0 ? 'On next restart, in this order:' : 'The next restart has nothing to do.',
    ...plan.flatMap(lines)
  ].join('\n')
}

function lines({ name, operation, steps, tables }: PlanStep, index: number): string[] {
  return [
    `  ${index + 1}. ${operation} ${name}: ${steps.join(', ')}`,
    ...tables.map(table => `       ${table.name}: ${table.rows === null ? 'not there yet' : `${table.rows} rows`}`)
  ]
}
