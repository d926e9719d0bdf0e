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
 * Builds lie side by side below `.output/builds`; `.output/server` is a link to the one that is started. A link changes
 * in one step, so a start meanwhile finds a whole build, and a server that runs keeps the files of its own.
 */
const BUILDS = 'builds'
const LINK = 'server'
/** In the folder of the server. */
const STAMP = 'sources.sha256'
const KEPT_MS = 24 * 3600 * 1000

const outputOf = (root: string) => path.join(root, '.output')
export const serverEntry = (root: string) => path.join(outputOf(root), LINK, 'index.mjs')
export const isBuilt = (root: string) => existsSync(serverEntry(root))

/** The hash of the sources that the build was made from; null when there is none. */
export function builtFrom(root: string): string | null {
  const file = path.join(outputOf(root), LINK, STAMP)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** `build` fills the folder that it is given. When it fails, the build before stays. */
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

/** From now on its day counts. */
const touch = (folder: string) => utimesSync(folder, new Date(), new Date())

/** The name of the build that is started; null when there is none, or it is of a release that built in place. */
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
 * A server that runs loads some of its files late. So its build stays while it is noted as running, and for a day after
 * another one took its place, for servers that are not noted. What a killed build left goes at once.
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
    return (error as NodeJS.ErrnoException).code === 'EPERM' // another user's
  }
}

/** Notes that the process runs the build that is started now. */
export function noteRunning(root: string, pid: number): void {
  const output = outputOf(root)
  const name = currentBuild(output)
  if (!name) return
  try {
    writeFileSync(path.join(output, BUILDS, name, `running.${pid}`), '')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EROFS' && code !== 'EACCES') throw error // where we can't write, no build is replaced by us either
  }
}
