import { same, sha256, textOf, utf8, type Bytes, type Files } from './bytes.ts'

/** This page as it was written: the parts before and after its copies, and the copies' text. */
export interface Page { name: string, /** SHA-256 of the page without copies. */ sha256: string, copies: string }
export interface Beside { ok: boolean, changed: string[], missing: string[], extra: string[] }

export const SUMS = 'SHA256SUMS'
const OPENING = '<script type="application/json" id="copies">'
const CLOSING = '</script>'

/** Whether the files beside the page are exactly those that it has copies of, byte for byte. */
export async function checkBeside(files: Files, { copies, page }: { copies: Files, page: Page }): Promise<Beside> {
  const changed = [...copies]
    .filter(([name, bytes]) => files.has(name) && !same(bytes, files.get(name)!))
    .map(([name]) => name)
  const pageFile = files.get(page.name)
  const isPage = pageFile !== undefined && await isThisPage(pageFile, page)
  if (pageFile && !isPage) changed.push(page.name)
  const sums = files.get(SUMS)
  if (
    sums
    && !(await areSums(sums, copies, isPage ? { name: page.name, bytes: pageFile } : { name: page.name, bytes: null }))
  )
    changed.push(SUMS)

  const expected = [...copies.keys(), page.name, SUMS]
  const missing = expected.filter(name => !files.has(name))
  const extra = [...files.keys()].filter(name => !expected.includes(name))
  return { ok: changed.length + missing.length + extra.length === 0, changed, missing, extra }
}

/** The signed list has the hash of the page without copies. */
async function isThisPage(bytes: Bytes, page: Page): Promise<boolean> {
  const text = readText(bytes)
  if (text === null) return false
  const from = text.indexOf(OPENING) + OPENING.length
  const to = text.indexOf(CLOSING, from)
  return (
    text.slice(from, to) === page.copies && (await sha256(utf8(text.slice(0, from) + text.slice(to)))) === page.sha256
  )
}

/**
 * Whether there is exactly one line for each file, with the hash of the expected bytes. If the page beside these files
 * isn't this one, its line may have any hash, because the page itself is reported.
 */
async function areSums(bytes: Bytes, copies: Files, page: { name: string, bytes: Bytes | null }): Promise<boolean> {
  const lines = (readText(bytes) ?? '').split('\n')
  const right = await Promise.all([...copies].map(async ([name, copy]) => `${await sha256(copy)}  ${name}`))
  const first = page.bytes ? `${await sha256(page.bytes)}  ${page.name}` : lines[0] ?? ''
  return lines.join('\n') === [first, ...right, ''].join('\n')
}

function readText(bytes: Bytes): string | null {
  try {
    return textOf(bytes)
  } catch {
    return null // our texts are always UTF-8
  }
}
