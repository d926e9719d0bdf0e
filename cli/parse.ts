import { parseArgs } from 'node:util'
import type { ArgsDef, CommandDef } from 'citty'
import { usageError } from './errors.ts'

declare module 'citty' {
  interface CommandMeta {
    /** Complete commands to type, shown below the usage. */
    examples?: string[]
  }
}

/**
 * Finds the command and checks its arguments. citty would accept unknown options and surplus words.
 */
export interface FoundCommand {
  command: CommandDef
  /** The full name as typed: `svc modules list`. */
  name: string
  /** The arguments without the names of the commands. */
  rest: string[]
  /** Why `command` cannot run; its usage is shown. */
  error?: Error
}

/** Marks a command whose words are checked when it runs. */
export const TAKES_WORDS = Symbol('takes words')

/** Finds the named command; options may come before its name. */
export async function findCommand(root: CommandDef, words: string[]): Promise<FoundCommand> {
  const found: FoundCommand = { command: root, name: 'svc', rest: words.filter(word => word !== 'help') }
  for (;;) {
    const children = childrenOf(found.command)
    if (!children) return found
    const at = found.rest.findIndex(word => !word.startsWith('-'))
    const name = found.rest[at]
    if (name === undefined) return { ...found, error: usageError('No command was given.') }
    const child = children[name]
    if (!child)
      return { ...found, error: usageError(`Unknown command "${name}".`, nearest(name, Object.keys(children))) }
    found.command = await child()
    found.name = `${found.name} ${name}`
    found.rest = found.rest.toSpliced(at, 1)
  }
}

/**
 * Throws a usage error for an unknown option, an option without its value, a missing required option, or a surplus
 * word.
 */
export function checkWords({ command, rest }: FoundCommand): void {
  const defined = Object.entries(command.args as ArgsDef | undefined ?? {})
  const options = Object.fromEntries(defined
    .filter(([, arg]) => arg.type !== 'positional')
    .map(([name, arg]) => [name, { type: arg.type === 'boolean' ? 'boolean' as const : 'string' as const }]))
  const most = TAKES_WORDS in command ? Infinity : defined.length - Object.keys(options).length
  const { positionals, values } = parseStrictly({ ...options, json: { type: 'boolean' } }, rest)
  if (positionals.length > most) throw usageError(`Unexpected word "${positionals[most]}".`)
  // citty checks every required argument except those with a list of values.
  const missing = defined.find(([name, arg]) => arg.type === 'enum' && arg.required && values[name] === undefined)
  if (missing) throw usageError(`Missing required argument: --${missing[0]}`)
}

function parseStrictly(
  options: Record<string, { type: 'boolean' | 'string' }>,
  args: string[]
): { positionals: string[], values: Record<string, unknown> } {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const sentence = error.message.split(/\. |\n/)[0]!.replace(/\.$/, '')
    throw usageError(`${sentence}.`)
  }
}

/**
 * The functions that load a command's children. The map has no prototype, because `svc constructor` isn't a command.
 */
function childrenOf(command: CommandDef): Record<string, () => Promise<CommandDef>> | undefined {
  if (!command.subCommands) return undefined
  return Object.assign(Object.create(null) as object, command.subCommands) as Record<string, () => Promise<CommandDef>>
}

function nearest(name: string, known: string[]): string | undefined {
  const near = known.filter(word => distance(word, name) <= 2)
  return near.length > 0 ? `Did you mean ${near.map(word => `"${word}"`).join(' or ')}?` : undefined
}

/** The Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    }
    row = next
  }
  return row[b.length]!
}
