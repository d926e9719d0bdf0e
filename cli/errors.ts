import { isProblem, type ProblemFields } from '@svc/kit'
import { ConfigError } from '../server/core/config.ts'
import { DatabaseError, readOnlyError } from '../server/core/db/database-error.ts'
import { describeError } from '../server/core/log.ts'

/** Exit codes are a contract for scripts: spec "The command line". */
export const EXIT = {
  done: 0,
  failure: 1,
  usage: 2,
  refused: 3,
  database: 4,
  configuration: 78,
  interrupted: 130
} as const

interface Fault {
  /** A single word in snake_case. */
  code: string
  /** One sentence for a person. */
  message: string
  /** What to do about it. */
  hint?: string
  exit: number
  /** Further members of the JSON form, such as a guardrail's `reasons`. */
  extra?: Record<string, unknown>
}

/** The error of a command that can't do its work; `output.ts` prints it. */
export class CliError extends Error {
  readonly fault: Fault
  constructor(fault: Fault) {
    super(fault.message)
    this.name = 'CliError'
    this.fault = fault
  }
}

export const usageError = (message: string, hint?: string) =>
  new CliError({ code: 'usage', message, hint, exit: EXIT.usage })
export const unknownModule = (name: string) =>
  new CliError({
    code: 'unknown_module',
    message: `There is no module "${name}".`,
    hint: 'svc modules list',
    exit: EXIT.usage
  })
export const failure = (code: string, message: string, hint?: string) =>
  new CliError({ code, message, hint, exit: EXIT.failure })

// postgres.js's own codes, then SQLSTATEs: sign-in refused, no such database, starting up or shutting down, too many
// connections.
const UNREACHABLE = new Set([
  'CONNECT_TIMEOUT', 'CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED', 'SASL_SIGNATURE_MISMATCH',
  '28000', '28P01', '3D000', '57P01', '57P02', '57P03', '53300'
])
/** System calls of Node's socket errors. File errors name other calls. */
const SOCKET_CALLS = new Set(['connect', 'getaddrinfo', 'read', 'write'])
const UNDEFINED_TABLE = '42P01'
const READ_ONLY = '25006'
const READ_ONLY_HINT = 'set DATABASE_URL to the server that accepts writes, or wait until this one is promoted'
const DATABASE_HINT = 'check DATABASE_URL, and that the database server runs'
const PROBLEM_EXITS: Record<string, number> = {
  not_found: EXIT.usage,
  validation_failed: EXIT.usage,
  module_refused: EXIT.refused,
  orphan_modules: EXIT.refused,
  module_not_running: EXIT.refused
}

/** Converts any thrown value to the error that the operator sees. */
export function toFault(error: unknown): Fault {
  for (const cause of causes(error)) {
    const fault = known(cause)
    if (fault) return fault
  }
  // Without the SQL statement and its values.
  return { code: 'internal_error', message: describeError(error).message, exit: EXIT.failure }
}

function known(error: unknown): Fault | null {
  if (error instanceof CliError) return error.fault
  if (error instanceof ConfigError) return { code: 'configuration', message: error.message, exit: EXIT.configuration }
  if (error instanceof DatabaseError) {
    const hint = error.code === 'database_read_only' ? READ_ONLY_HINT : DATABASE_HINT
    return { code: error.code, message: capitalised(error.message), hint, exit: EXIT.database }
  }
  if (isProblem(error)) return ofProblem(error)
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null
  if (error.code === UNDEFINED_TABLE) {
    return {
      code: 'database_not_migrated',
      message: firstLine(error.message),
      hint: 'svc db migrate',
      exit: EXIT.database
    }
  }
  if (error.code === READ_ONLY) return known(readOnlyError())
  const ofSocket = 'syscall' in error && SOCKET_CALLS.has(String(error.syscall))
  if (!ofSocket && !UNREACHABLE.has(error.code)) return null
  const reason = firstLine(error.message) || error.code
  return {
    code: 'database_unreachable',
    message: `The database cannot be reached: ${reason}`,
    hint: DATABASE_HINT,
    exit: EXIT.database
  }
}

function ofProblem({ code, message, fields }: { code: string, message: string, fields: ProblemFields }): Fault {
  const wrong = fields.errors?.map(
    ({ pointer, message }) => `${pointer.replace(/^\//, '--').replaceAll('_', '-')}: ${message}`
  )
  const { hint, reasons } = fields as { hint?: string, reasons?: string[] }
  const text = wrong?.join('\n') ?? reasons?.map(sentence).join('\n') ?? fields.detail ?? message
  return {
    code,
    message: text,
    hint,
    exit: PROBLEM_EXITS[code] ?? EXIT.failure,
    ...(reasons ? { extra: { reasons } } : {})
  }
}

/** The error, its causes, and the parts of an aggregate (several addresses of one host). */
function causes(error: unknown): unknown[] {
  if (!(error instanceof Error)) return [error]
  const parts = error instanceof AggregateError ? error.errors : []
  return [error, ...parts, ...error.cause ? causes(error.cause) : []]
}

const sentence = (reason: string) => /[.!?]$/.test(reason) ? reason : `${reason}.`
const firstLine = (text: string) => text.split('\n')[0] ?? ''
const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
