import { parseArgs } from 'node:util'
import type { ArgsDef, CommandDef } from 'citty'
import { usageError } from './errors.ts'

declare module 'citty' {
  interface CommandMeta {
    /** Whole lines to type, shown below the usage. */
    examples?: string[]
  }
}

/**
 * Finds the command and checks what was typed. citty would let unknown options and surplus words pass.
 */
export interface Found {
  command: CommandDef
  /** As it is typed: `svc modules list`. */
  name: string
  /** What was typed, without the names of the commands. */
  rest: string[]
  /** Why `command` cannot run; its usage is what helps. */
  error?: Error
}

/** Marks a command whose words are checked when it runs. */
export const TAKES_WORDS = Symbol('takes words')

/** Walks down to the command that was named; options may come before its name. */
export async function findCommand(root: CommandDef, words: string[]): Promise<Found> {
  const found: Found = { command: root, name: 'svc', rest: words.filter(word => word !== 'help') }
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
 * Throws a usage error for an option that the command does not know, one without its value or that is missing, and a
 * surplus word.
 */
export function checkWords({ command, rest }: Found): void {
  const defined = Object.entries(command.args as ArgsDef | undefined ?? {})
  const options = Object.fromEntries(defined
    .filter(([, arg]) => arg.type !== 'positional')
    .map(([name, arg]) => [name, { type: arg.type === 'boolean' ? 'boolean' as const : 'string' as const }]))
  const most = TAKES_WORDS in command ? Infinity : defined.length - Object.keys(options).length
  const { positionals, values } = parseStrictly({ ...options, json: { type: 'boolean' } }, rest)
  if (positionals.length > most) throw usageError(`Unexpected word "${positionals[most]}".`)
  // citty asks for every required argument but those with a list of values.
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

/** Every command with children declares them as functions that load it. A lone map: `svc constructor` is no command. */
function childrenOf(command: CommandDef): Record<string, () => Promise<CommandDef>> | undefined {
  if (!command.subCommands) return undefined
  return Object.assign(Object.create(null) as object, command.subCommands) as Record<string, () => Promise<CommandDef>>
}

function nearest(name: string, known: string[]): string | undefined {
  const near = known.filter(word => distance(word, name) <= 2)
  return near.length > 0 ? `Did you mean ${near.map(word => `"${word}"`).join(' or ')}?` : undefined
}

/** Levenshtein. */
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
