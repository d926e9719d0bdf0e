import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Builds lie side by side below `.output/builds`; `.output/server` is a link to the one that is started. A link changes in one
 * step, so a start meanwhile finds a whole build, and a server that runs keeps the files of its own.
 */
const BUILDS = 'builds'
const LINK = 'server'
/** In the folder of the server. */
const STAMP = 'sources.sha256'

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
  removeOthers(output, [name, before])
}

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
  if (lstatSync(link, { throwIfNoEntry: false })?.isDirectory()) renameSync(link, path.join(output, BUILDS, name, 'before'))
  renameSync(next, link)
}

/** The build before stays: a server that runs loads some of its files late. */
function removeOthers(output: string, kept: (string | null)[]): void {
  for (const name of readdirSync(path.join(output, BUILDS)).filter(name => !kept.includes(name))) {
    rmSync(path.join(output, BUILDS, name), { recursive: true, force: true })
  }
}
