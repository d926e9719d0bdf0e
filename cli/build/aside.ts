import { randomBytes } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import path from 'node:path'

/**
 * Builds are side by side below `.output/builds`; `.output/server` links to the current one. A link changes in one
 * step, so a concurrent start finds a complete build, and a running server keeps its own files.
 */
const BUILDS = 'builds'
const LINK = 'server'
/** The file in the server's folder that holds the hash of its sources. */
const STAMP = 'sources.sha256'
const KEPT_MS = 24 * 3600 * 1000

const outputOf = (root: string) => path.join(root, '.output')
export const serverEntry = (root: string) => path.join(outputOf(root), LINK, 'index.mjs')
export const isBuilt = (root: string) => existsSync(serverEntry(root))

/** The hash of the sources of the current build; null if there is no build. */
export function builtFrom(root: string): string | null {
  const file = path.join(outputOf(root), LINK, STAMP)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** `build` writes into the given folder. If it fails, the previous build stays. */
export async function buildAside(root: string, stamp: string, build: (folder: string) => Promise<void>): Promise<void> {
  const output = outputOf(root)
  const before = currentBuild(output)
  const name = randomBytes(6).toString('hex')
  const folder = path.join(output, BUILDS, name)
  mkdirSync(folder, { recursive: true })
  try {
    await build(folder)
    writeFileSync(path.join(folder, LINK, STAMP), stamp)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
  startFrom(output, name)
  if (before) touch(path.join(output, BUILDS, before))
  removeOthers(output, [name, before])
}

/** Restarts the day after which the build may be removed. */
const touch = (folder: string) => utimesSync(folder, new Date(), new Date())

/** The current build's name; null if there is none, or it is of a release that built in place. */
function currentBuild(output: string): string | null {
  const link = path.join(output, LINK)
  if (!lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) return null
  return readlinkSync(link).split('/')[1] ?? null
}

function startFrom(output: string, name: string): void {
  const link = path.join(output, LINK)
  const next = `${link}.${name}`
  symlinkSync(`${BUILDS}/${name}/${LINK}`, next)
  // A folder of a release that built in place can't be replaced by a link in one step.
  if (lstatSync(link, { throwIfNoEntry: false })?.isDirectory())
    renameSync(link, path.join(output, BUILDS, name, 'before'))
  renameSync(next, link)
}

/**
 * A running server loads some of its files late. So its build stays while it is noted as running, and for a day after
 * another one replaced it, for servers that are not noted. Leftovers of a killed build are removed at once.
 */
function removeOthers(output: string, kept: (string | null)[]): void {
  for (const name of readdirSync(path.join(output, BUILDS)).filter(name => !kept.includes(name))) {
    const folder = path.join(output, BUILDS, name)
    const isWhole = existsSync(path.join(folder, LINK, STAMP))
    if (!isWhole || !(isFresh(folder) || isRunning(folder))) rmSync(folder, { recursive: true, force: true })
  }
}

const isFresh = (folder: string) => Date.now() - statSync(folder).mtimeMs < KEPT_MS

const isRunning = (folder: string) => readdirSync(folder).some((file) => {
  const pid = /^running\.(\d+)$/.exec(file)?.[1]
  return pid !== undefined && isAlive(Number(pid))
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' // belongs to another user
  }
}

/** Notes that the process runs the current build. */
export function noteRunning(root: string, pid: number): void {
  const output = outputOf(root)
  const name = currentBuild(output)
  if (!name) return
  try {
    writeFileSync(path.join(output, BUILDS, name, `running.${pid}`), '')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EROFS' && code !== 'EACCES') throw error // without write access we don't replace builds either
  }
}
