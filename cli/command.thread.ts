import { openModules, type Opened } from './with-modules.ts'

/** Plain data: how to find a command's `part`, and its input. */
export interface PartOfCommand { module: string, command: string, input: unknown }

let opened: Promise<Opened> | undefined

/** Runs a part of a module's command, with modules that this thread loads itself. */
export default async function runPart({ module, command, input }: PartOfCommand): Promise<unknown> {
  opened ??= openModules()
  const { host } = await opened
  const running = host.registry.get(module)
  const part = running?.definition.commands?.[command]?.part
  if (!running || !part) throw new Error(`The command "${command}" of the module ${module} has no \`part\``)
  return await part(running.ctx, input)
}
