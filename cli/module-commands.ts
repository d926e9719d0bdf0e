import { defineCommand, type ArgsDef, type CommandDef } from 'citty'
import type { Command } from '@svc/kit'
import { discover, type Discovered } from '../server/core/modules/discover.ts'
import type { Manifest } from '../server/core/manifest.ts'
import { checkSecret } from '../server/core/people/seals/used-secrets.ts'
import { createCommandThreads } from './command-threads.ts'
import { configuration } from './context.ts'
import { EXIT, failure, usageError } from './errors.ts'
import { endProgress, showProgress, type Result } from './output.ts'
import { TAKES_WORDS } from './parse.ts'
import { noSecret, withModules } from './with-modules.ts'

/** A command as a manifest declares it: its module, its words, and a summary. */
interface Declared {
  module: string
  words: string[]
  summary: string
  options: Manifest['commands'][string]['options']
}

/**
 * The core's commands and those that modules on disk declare, without running their code. A module can't override a
 * command of the core.
 */
export async function withModuleCommands(root: CommandDef): Promise<CommandDef> {
  const own = root.subCommands as Record<string, () => Promise<CommandDef>>
  const found = await discover(configuration())
  // A package can't override a bundled module's command.
  const ordered = [...found.filter(({ bundled }) => bundled), ...found.filter(({ bundled }) => !bundled)]
  const groups = Map.groupBy(ordered.flatMap(declaredBy), ({ words }) => words[0]!)
  const theirs = [...groups]
    .filter(([word]) => !Object.hasOwn(own, word))
    .map(([word, commands]) => [word, () => Promise.resolve(toGroup(commands))])
  return { ...root, subCommands: { ...own, ...(Object.fromEntries(theirs) as typeof own) } }
}

function declaredBy({ name, manifest }: Discovered): Declared[] {
  return Object.entries(manifest?.commands ?? {}).map(([command, about]) => ({
    module: name,
    words: command.split(' '),
    ...about
  }))
}

function toGroup(commands: Declared[]): CommandDef {
  const alone = commands.find(({ words }) => words.length === 1)
  if (alone) return toCommand(alone)
  const first = commands.filter(
    ({ words }, index) => commands.findIndex(other => other.words[1] === words[1]) === index
  )
  return defineCommand({
    meta: {
      name: first[0]!.words[0],
      description: `Of the module ${[...new Set(first.map(({ module }) => module))].join(', ')}: ${first.map(({ words }) => words[1]).join(', ')}`
    },
    subCommands: Object.fromEntries(
      first.map(command => [command.words[1]!, () => Promise.resolve(toCommand(command))])
    )
  })
}

/** A command's arguments are only known once its module is loaded, so they are checked then. */
function toCommand({ module, words, summary, options }: Declared): CommandDef {
  const command: CommandDef = {
    meta: { name: words.at(-1), description: summary },
    args: { ...toArgs(options), json: { type: 'boolean', description: 'Print one JSON document' } },
    run: ({ args }): Promise<Result> =>
      runOf(module, { name: words.join(' '), words: args._, options: given(options, args) })
  }
  return Object.assign(command, { [TAKES_WORDS]: true })
}

const toArgs = (options: Declared['options']): ArgsDef =>
  Object.fromEntries(
    Object.entries(options).map(([name, { description, value }]) => [
      name,
      value === undefined ? { type: 'boolean', description } : { type: 'string', valueHint: value, description }
    ])
  )

function given(options: Declared['options'], args: Record<string, unknown>): Typed['options'] {
  const values = Object.keys(options).map(name => [name, args[name]] as const)
  return Object.fromEntries(
    values.filter((entry): entry is [string, string | true] => typeof entry[1] === 'string' || entry[1] === true)
  )
}

/** A command's name, and the words after it. */
interface Typed { name: string, words: string[], options: Record<string, string | true> }

async function runOf(module: string, { name, words, options }: Typed): Promise<Result> {
  return await withModules(async ({ host: { registry, secrets }, sql, hasSecret }) => {
    const running = registry.get(module)
    if (!running) throw notRunning(module, registry.broken.find(broken => broken.name === module)?.reason)
    const command = running.definition.commands?.[name]
    if (!command)
      throw failure(
        'command_missing',
        `The module ${module} names the command "${name}" in its manifest and does not have it.`
      )
    if (!hasSecret) throw noSecret()
    await checkSecret(sql, secrets)
    const args = readWords(command, words)
    const { runPart, close } = createCommandThreads(module, name)
    try {
      const { text, json, ok } = await command.run(running.ctx, { args, options, progress: showProgress, runPart })
      return { text, json, exit: ok ? EXIT.done : EXIT.failure }
    } finally {
      await close()
      endProgress()
    }
  })
}

function notRunning(module: string, reason: string | undefined) {
  return reason === undefined
    ? failure(
        'module_not_installed',
        `This is a command of the module ${module}, which is not installed.`,
        `svc modules install ${module}`
      )
    : failure(
        'module_errored',
        `This is a command of the module ${module}, which does not run: ${reason}.`,
        `svc modules info ${module}`
      )
}

function readWords({ args = [] }: Command, words: string[]): Record<string, string | undefined> {
  if (words.length > args.length) throw usageError(`Unexpected word "${words[args.length]}".`)
  const missing = args.find(({ required }, index) => required && words[index] === undefined)
  if (missing)
    throw usageError(`Missing required positional argument: ${missing.name.toUpperCase()}`, missing.description)
  return Object.fromEntries(args.map(({ name }, index) => [name, words[index]]))
}
