import { OPERATOR } from '../../../server/core/people/accounts/record-account.ts'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { packageName, skeleton } from '../../../build/new-module/skeleton.ts'
import { runCommand, type Command } from '../../../server/core/modules/commands.ts'
import { discover } from '../../../server/core/modules/discover.ts'
import type { Instance } from '../instance.ts'
import { root } from './official.ts'

/** Community packages in the form in which their authors would publish them. */
export const PACKAGES = join(root, 'tests/fixtures/modules')

/**
 * Puts a package (a fixture, or a folder) into the instance's volume; later files replace earlier ones. Use another
 * `folder` if a test continues in one process, because Node imports a file only once.
 */
export function putPackage(storage: string, names: string | string[], folder = basename([names].flat()[0]!)): string {
  const target = join(storage, 'modules/node_modules', folder)
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  for (const name of [names].flat()) cpSync(resolve(PACKAGES, name), target, { recursive: true })
  return target
}

/** Installs zod beside a package, as npm installs a dependency. */
export function putZod(storage: string): void {
  const modules = join(storage, 'modules/node_modules')
  mkdirSync(modules, { recursive: true })
  symlinkSync(join(root, 'node_modules/zod'), join(modules, 'zod'))
}

/** Like `svc modules <command> <name>`; a restart applies it. */
export async function schedule(
  instance: Pick<Instance, 'runtime' | 'sql'>,
  command: Command,
  name: string,
  options: { force?: boolean, dry_run?: boolean } = {}
) {
  const { config, version, secrets } = instance.runtime.host
  const host = { sql: instance.sql, config, version, secrets: () => secrets, who: OPERATOR }
  return await runCommand(host, { command, name, ...options })
}

/** Bundled modules that an instance has only if its operator installs them. */
const optional = (await discover({ root, storage: '/nowhere' }))
  .filter(({ bundled, manifest }) => bundled && manifest?.auto_install === false)
  .map(({ name }) => name)

/** Schedules them. They run after the next restart. */
export async function scheduleOptional(instance: Pick<Instance, 'runtime' | 'sql'>): Promise<void> {
  for (const name of optional) await schedule(instance, 'install', name)
}

/** Installed and running, or marked errored. */
export async function install(instance: Instance, ...packages: string[]): Promise<void> {
  for (const name of packages) putPackage(instance.storage, name)
  for (const name of packages) await schedule(instance, 'install', manifestOf(resolve(PACKAGES, name)).name)
  await instance.restart()
}

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).svc as { name: string }

/** The result of `npm run new:module`, in a folder of its own. */
export function aNewModule(name: string): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'svc-new-module-')), packageName(name))
  for (const [path, text] of Object.entries(skeleton(name))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}
