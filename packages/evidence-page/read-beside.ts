import { unzipSync } from 'fflate'
import type { Bytes, Files } from './bytes.ts'

/** The chosen files, each with its path as far as the browser knows it. */
export type Chosen = { path: string, file: File }[]

/** Put into folders by systems, and never by us. */
const LITTER = /(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini)$|^__MACOSX\//
/** Far more than an evidence file has: a ZIP can promise more than a browser can hold. */
const LARGEST = 300_000_000

/**
 * The files behind a choice: those of the ZIP when it is one, else the chosen ones. Throws when something cannot be
 * read.
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
      if (size > LARGEST) throw new RangeError('this ZIP is too large')
      names.push(name)
      return true
    }
  })
  // Two entries of one name: which of them counts is up to who unpacks.
  if (new Set(names).size < names.length) throw new RangeError('this ZIP has a file twice')
  return Object.entries(files).filter(([name]) => !name.endsWith('/')) as [string, Bytes][]
}

/** Without the folder that all lie in, and without litter. */
function named(files: (readonly [string, Bytes])[]): Files {
  const own = files.filter(([path]) => !LITTER.test(path))
  const folder = /^[^/]+\//.exec(own[0]?.[0] ?? '')?.[0] ?? ''
  const from = own.every(([path]) => path.startsWith(folder)) ? folder.length : 0
  return new Map(own.map(([path, bytes]) => [path.slice(from), bytes]))
}

/** What was dropped; folders are gone through. */
export async function readDropped(items: DataTransferItemList): Promise<Chosen> {
  // All at once: the list is empty as soon as the event is over.
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
  for (;;) { // a hundred at a time, until there are none
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) break
    found.push(...some)
  }
  return (await Promise.all(found.map(below))).flat()
}

/**
 * The files that lie beside this page, where the browser lets a page read them: from a server, and seldom from a disk.
 * Null when it does not, or when there is none of them.
 */
export async function readSiblings(names: readonly string[], page: string): Promise<Files | null> {
  const read = async (name: string): Promise<[string, Bytes] | null> => {
    const bytes = await request(name === page ? location.href.split('#')[0]! : name)
    return bytes && [name, bytes]
  }
  try {
    const own = await read(page) // where this one is forbidden, all are: one refusal is enough
    const others = await Promise.all(names.filter(name => name !== page).map(read))
    const found = new Map([own, ...others].filter(one => one !== null))
    return [...found.keys()].some(name => name !== page) ? found : null
  } catch {
    return null // the browser forbids it: the page says that these files were not looked at
  }
}

/** Null for what is not there. Not by `fetch`, which knows no disk even where a browser allows to read from it. */
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
