import type { CommandDef, CommandMeta } from 'citty'
import { describe, expect, test } from 'vitest'
import { root } from '../../../cli/commands.ts'
import { checkWords, findCommand } from '../../../cli/parse.ts'

/** Every command that runs, with its whole name. */
async function commandsOf(command: CommandDef, name: string): Promise<[name: string, command: CommandDef][]> {
  if (!command.subCommands) return [[name, command]]
  const children = Object.entries(command.subCommands as Record<string, () => Promise<CommandDef>>)
  const found = await Promise.all(children.map(async ([word, load]) => commandsOf(await load(), `${name} ${word}`)))
  return found.flat()
}

/** Splits as a shell does: quoted words are one argument, and what follows `<` is not an argument. */
const wordsOf = (line: string) =>
  [...line.replace(/ < \S+$/, '').matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!)

const commands = await commandsOf(root, 'svc')

describe.each(commands)('the help of %s', (name, command) => {
  const { description, examples = [] } = command.meta as CommandMeta

  test('describes the command in one line', () => {
    expect(description).toMatch(/^[A-Z][^\n]{5,100}[^.\s]$/)
  })

  test('has examples that the command accepts', async () => {
    expect(examples.length).toBeGreaterThan(0)
    for (const example of examples) {
      const words = wordsOf(example.replace(/^[A-Z_]+=\S+ /, ''))
      expect(words.slice(0, name.split(' ').length)).toEqual(name.split(' '))
      const found = await findCommand(root, words.slice(1))
      expect(found.error).toBeUndefined()
      checkWords(found)
    }
  })
})
