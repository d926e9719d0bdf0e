import { closeSync, lstatSync, openSync, readFileSync, readSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, join, sep } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { parseManifest, type Manifest } from './manifest.ts'

/** A module on disk, known without running its code. */
export interface Discovered {
  name: string
  /** Absolute. */
  folder: string
  /** Of package.json; empty when that cannot be read. */
  version: string
  summary: string
  /** Null when broken: then `error` says why. */
  manifest: Manifest | null
  error: string | null
  /** Official: part of the release, its code is in the server's bundle. */
  bundled: boolean
}

/**
 * Official modules from `layers/`, community ones from the project's node_modules and from
 * `<storage>/modules/node_modules`; sorted by name. A broken manifest is an entry with an error, and of
 * two packages with one module name the first place wins and the other becomes an error under its folder's name.
 * A folder's name never replaces the name of a module that another package declares.
 */
export async function discover(config: Pick<Config, 'root' | 'storage'>): Promise<Discovered[]> {
  const found = [
    ...(await readFolders(childFolders(join(config.root, 'layers')), true)),
    // Asked of the few modules only: a look at each of a thousand packages would make every start slower.
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
  // By code units: to load the rules of a language would take a command longer than all the files.
  return [...byName.values()].sort((a, b) => a.name < b.name ? -1 : 1)
}

/** Folders that are read before what else is under way has its turn. */
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
 * `name` is the folder's until it is known to be free; `declared` is what the manifest says, null when it says none.
 */
interface Read extends Discovered { declared: string | null }

/**
 * Null for a package that is no module. The cheap look at the bytes spares decoding and parsing a thousand packages.
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
    return false // whatever the reason: it cannot be read as one
  }
}

/** A file that is no JSON any more still names its module, so that its row is not taken for an orphan. */
function nameIn(text: string): string | null {
  return /"svc"\s*:\s*\{[^{}]*?"name"\s*:\s*"([a-z][a-z0-9_]*)"/.exec(text)?.[1] ?? null
}

function packageFolders(nodeModules: string): string[] {
  return childFolders(nodeModules).flatMap(folder => basename(folder).startsWith('@') ? childFolders(folder) : [folder])
}

/** Symbolic links too: `npm install ../my-module` makes one. */
function childFolders(folder: string): string[] {
  try {
    return readdirSync(folder).filter(name => !name.startsWith('.')).sort().map(name => `${folder}/${name}`)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}

/** Our own packages and layers, linked into node_modules by npm's workspaces. */
function isWorkspace(folder: string, root: string): boolean {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) return false // gone by now: as it was read
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

/** One for a thousand files; a manifest of its size or more is read again. */
const buffer = Buffer.allocUnsafe(256 * 1024)

/** Valid until the next call: looked at before anyone else has a turn. */
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
