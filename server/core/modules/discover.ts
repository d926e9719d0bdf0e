import { closeSync, lstatSync, openSync, readFileSync, readSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, join, sep } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { scrubForModule } from '../log.ts'
import { parseManifest, type Manifest } from '../manifest.ts'

/** A module on disk. Its code has not run. */
export interface Discovered {
  name: string
  /** Absolute. */
  folder: string
  /** From package.json; empty if that cannot be read. */
  version: string
  summary: string
  /** Null if broken; then `error` has the reason. */
  manifest: Manifest | null
  error: string | null
  /** An official module of the release, whose code is in the server's bundle. */
  bundled: boolean
}

/**
 * Finds official modules in `layers/`, and community modules in the project's node_modules and in
 * `<storage>/modules/node_modules`; sorted by name. A broken manifest gives an entry with an error. If two packages
 * have one module name, the first place wins, and the other becomes an error under its folder's name. A folder's name
 * never replaces the name of a module that another package declares.
 */
export async function discover(config: Pick<Config, 'root' | 'storage'>): Promise<Discovered[]> {
  const found = [
    ...(await readFolders(childFolders(join(config.root, 'layers')), true)),
    // Checked only for the few modules: a check of a thousand packages would slow down every start.
    ...(await readFolders(packageFolders(join(config.root, 'node_modules')), false)).filter(
      module => !isWorkspace(module.folder, config.root)
    ),
    ...(await readFolders(packageFolders(join(config.storage, 'modules', 'node_modules')), false))
  ]

  const byName = new Map<string, Discovered>()
  const unnamed: Discovered[] = []
  for (const { declared, ...module } of found) {
    const first = declared === null ? null : byName.get(declared)
    if (declared === null) unnamed.push(module)
    else if (!first) byName.set(declared, { ...module, name: declared })
    else if (first.folder !== module.folder)
      unnamed.push({
        ...module,
        manifest: null,
        error: `the module name "${declared}" is already taken by ${first.folder}`
      })
  }
  for (const module of unnamed) {
    const name = byName.has(module.name) ? module.folder : module.name
    byName.set(name, { ...module, name })
  }
  for (const { manifest } of byName.values()) {
    const words = manifest?.personal.members.filter(isWord) ?? []
    scrubForModule({ members: words, texts: manifest?.scrub ?? [] })
  }
  // By code units, because loading a locale's collation rules would take longer than reading all the files.
  return [...byName.values()].sort((a, b) => a.name < b.name ? -1 : 1)
}

/** Ids aren't personal by themselves, and logs need them. */
const isWord = (member: string) => !member.endsWith('_id')

/** How many folders are read before other work gets a turn. */
const BATCH = 50

async function readFolders(folders: string[], bundled: boolean): Promise<Read[]> {
  const found: Read[] = []
  for (const [index, folder] of folders.entries()) {
    if (index > 0 && index % BATCH === 0) await nextTurn()
    const module = readModule(folder, bundled)
    if (module) found.push(module)
  }
  return found
}

/**
 * `name` is the folder's until the declared name proves to be free. `declared` comes from the manifest; null if it has
 * none.
 */
interface Read extends Discovered { declared: string | null }

/**
 * Null for a package that isn't a module. Searching the bytes first avoids decoding and parsing a thousand packages.
 */
function readModule(folder: string, bundled: boolean): Read | null {
  const broken = {
    name: basename(folder),
    declared: null as string | null,
    folder,
    version: '',
    summary: '',
    manifest: null,
    bundled
  }
  let json: { version?: unknown, svc?: unknown }
  try {
    const bytes = readBytes(`${folder}/package.json`)
    if (!bytes?.includes('"svc"')) return null
    const text = bytes.toString()
    broken.declared = nameIn(text)
    json = JSON.parse(text)
  } catch (error) {
    return { ...broken, error: `package.json: ${(error as Error).message}` }
  }
  if (json.svc === undefined) return null // a package may use the word elsewhere
  const name = (json.svc as { name?: unknown } | null)?.name
  if (typeof name === 'string' && name !== '') broken.declared = name
  if (typeof json.version === 'string') broken.version = json.version

  const parsed = parseManifest(json)
  if (parsed.error !== undefined) return { ...broken, error: parsed.error }
  const { manifest, version, summary } = parsed
  if (manifest.category === 'official' && !bundled)
    return { ...broken, error: 'svc.category: only modules of the release are official' }
  if (manifest.migrations && !isFolder(join(folder, manifest.migrations))) {
    return { ...broken, error: `svc.migrations: the package has no folder "${manifest.migrations}"` }
  }
  return { ...broken, version, summary, manifest, error: null }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false // whatever the reason, it can't be read as a module
  }
}

/** Finds the module's name in a file that is no longer valid JSON, so that its row is not taken for an orphan. */
function nameIn(text: string): string | null {
  return /"svc"\s*:\s*\{[^{}]*?"name"\s*:\s*"([a-z][a-z0-9_]*)"/.exec(text)?.[1] ?? null
}

function packageFolders(nodeModules: string): string[] {
  return childFolders(nodeModules).flatMap(folder => basename(folder).startsWith('@') ? childFolders(folder) : [folder])
}

/** Includes symbolic links: `npm install ../my-module` creates one. */
function childFolders(folder: string): string[] {
  try {
    return readdirSync(folder).filter(name => !name.startsWith('.')).sort().map(name => `${folder}/${name}`)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}

/** True for our own packages and layers, which npm's workspaces link into node_modules. */
function isWorkspace(folder: string, root: string): boolean {
  // If the folder has disappeared meanwhile, the entry stays as it was read.
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return false
  const target = realTarget(folder)
  return target === null || ['packages', 'layers'].some(own => target.startsWith(join(realpathSync(root), own) + sep))
}

function realTarget(link: string): string | null {
  try {
    return realpathSync(link)
  } catch {
    return null
  }
}

/** One buffer for a thousand files. A larger manifest is read again. */
const buffer = Buffer.allocUnsafe(256 * 1024)

/** Valid until the next call, so the caller must use it before it awaits anything. */
function readBytes(file: string): Buffer | null {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null
    throw error
  }
  try {
    const length = readSync(descriptor, buffer, 0, buffer.length, 0)
    return length < buffer.length ? buffer.subarray(0, length) : readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
