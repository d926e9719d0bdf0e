import { stripVTControlCharacters } from 'node:util'
import { renderUsage, runCommand, type CommandMeta } from 'citty'
import * as z from 'zod'
import product from '../package.json' with { type: 'json' }
import { root } from './commands.ts'
import { ConfigError } from '../server/core/config.ts'
import { toFault, usageError } from './errors.ts'
import { fail, finish, help, type Result } from './output.ts'
import { checkWords, findCommand, type FoundCommand } from './parse.ts'

z.config({ jitless: true }) // compiling a schema costs more than interpreting it once

const typed = process.argv.slice(2)
const options = typed.includes('--') ? typed.slice(0, typed.indexOf('--')) : typed
const asJson = options.includes('--json')
const wantsHelp = options.includes('--help') || options.includes('-h') || typed[0] === 'help'

let found: FoundCommand = { command: root, name: 'svc', rest: [] }
try {
  found = await findCommand(await commands(), typed.filter(word => word !== '--help' && word !== '-h'))
  if (typed.length === 1 && typed[0] === '--version') help(product.version)
  else if (wantsHelp) help(await usageOf(found))
  else await run(found)
} catch (error) {
  // citty's own errors: a missing required option or argument, or a value outside its list.
  const cause
    = error instanceof Error && error.name === 'CLIError' ? usageError(stripVTControlCharacters(error.message)) : error
  fail(cause, asJson, toFault(cause).code === 'usage' ? await usageOf(found) : undefined)
}

/** Modules' commands are loaded only for a word that isn't the core's, and for help. */
async function commands(): Promise<typeof root> {
  const word = typed.find(word => !word.startsWith('-') && word !== 'help')
  const isOwn = word === undefined ? options.includes('--version') : Object.hasOwn(root.subCommands!, word)
  if (isOwn) return root
  const { withModuleCommands } = await import('./module-commands.ts')
  return await withModuleCommands(root).catch((error: unknown) => {
    if (word === undefined && error instanceof ConfigError) return root // help works with any settings
    throw error
  })
}

async function run(found: FoundCommand): Promise<void> {
  if (found.error) throw found.error
  checkWords(found)
  const { result } = await runCommand(found.command, { rawArgs: found.rest, data: { asJson } })
  if (result) finish(result as Result, asJson)
}

async function usageOf({ command, name }: FoundCommand): Promise<string> {
  const meta = { ...command.meta as CommandMeta, name }
  const usage = (await renderUsage({ ...command, meta })).split('\n').map(line => line.trimEnd()).join('\n').trim()
  const { examples = [] } = meta
  return examples.length > 0 ? [usage, 'EXAMPLES', examples.map(line => `  ${line}`).join('\n')].join('\n\n') : usage
}
