import { unzipSync } from 'fflate'
import type { Bytes, Files } from './bytes.ts'

/** The chosen files, each with its path as far as the browser reveals it. */
export type Chosen = { path: string, file: File }[]

/** Files that operating systems put into folders. */
const SYSTEM_FILES = /(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini)$|^__MACOSX\//
/** Far more than an evidence file has, since a ZIP can expand to more than a browser can hold. */
const MAX_BYTES = 300_000_000

/**
 * The files of the selection, or the contents of its ZIP. Throws when a file cannot be read.
 */
export async function readChosen(chosen: Chosen): Promise<Files> {
  const read = await Promise.all(
    chosen.map(async ({ path, file }) => [path, new Uint8Array(await file.arrayBuffer())] as const)
  )
  const [only] = read
  return named(read.length === 1 && isZip(only![1]) ? unzip(only![1]) : read)
}

const isZip = (bytes: Bytes) => bytes[0] === 0x50 && bytes[1] === 0x4B

function unzip(zip: Bytes): [string, Bytes][] {
  const names: string[] = []
  let size = 0
  const files = unzipSync(zip, {
    filter({ name, originalSize }) {
      size += originalSize
      if (size > MAX_BYTES) throw new RangeError('this ZIP is too large')
      names.push(name)
      return true
    }
  })
  // If two entries have the same name, unpackers disagree on which one counts.
  if (new Set(names).size < names.length) throw new RangeError('this ZIP has a file twice')
  return Object.entries(files).filter(([name]) => !name.endsWith('/')) as [string, Bytes][]
}

/** Leaves out litter, and removes the folder from the names if it contains all other files. */
function named(files: (readonly [string, Bytes])[]): Files {
  const own = files.filter(([path]) => !SYSTEM_FILES.test(path))
  const folder = /^[^/]+\//.exec(own[0]?.[0] ?? '')?.[0] ?? ''
  const from = own.every(([path]) => path.startsWith(folder)) ? folder.length : 0
  return new Map(own.map(([path, bytes]) => [path.slice(from), bytes]))
}

/** The dropped files, including those in folders. */
export async function readDropped(items: DataTransferItemList): Promise<Chosen> {
  // Copied at once, because the list is empty once the event is over.
  const dropped = [...items]
    .filter(item => item.kind === 'file')
    .map(item => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }))
  const chosen = await Promise.all(
    dropped.map(async ({ entry, file }) => (entry ? await below(entry) : file ? [{ path: file.name, file }] : []))
  )
  return chosen.flat()
}

async function below(entry: FileSystemEntry): Promise<Chosen> {
  if (entry.isFile)
    return [
      {
        path: entry.fullPath.slice(1),
        file: await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
      }
    ]
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const found: FileSystemEntry[] = []
  for (;;) { // the browser returns a hundred entries at a time, and none at the end
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) break
    found.push(...some)
  }
  return (await Promise.all(found.map(below))).flat()
}

/**
 * The files beside this page, if the browser allows reading them: from a server, and rarely from a disk. Null if it
 * doesn't, or if there are none.
 */
export async function readSiblings(names: readonly string[], page: string): Promise<Files | null> {
  const read = async (name: string): Promise<[string, Bytes] | null> => {
    const bytes = await request(name === page ? location.href.split('#')[0]! : name)
    return bytes && [name, bytes]
  }
  try {
    const own = await read(page) // if the browser forbids this file, it forbids all
    const others = await Promise.all(names.filter(name => name !== page).map(read))
    const found = new Map([own, ...others].filter(one => one !== null))
    return [...found.keys()].some(name => name !== page) ? found : null
  } catch {
    return null // reading is forbidden: the page shows that these files were not checked
  }
}

/** Null if the file doesn't exist. `fetch` can't read from a disk, even if the browser allows it. */
function request(url: string): Promise<Bytes | null> {
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest()
    call.open('GET', url)
    call.responseType = 'arraybuffer'
    call.setRequestHeader('Cache-Control', 'no-cache')
    call.onload = () =>
      resolve(call.status === 200 || call.status === 0 ? new Uint8Array(call.response as ArrayBuffer) : null)
    call.onerror = reject
    call.send()
  })
}
