import { readPage } from '@svc/evidence-page'
import { sha256Of, utf8, type Files } from './files.ts'

/** The page finds its copies, and those of another page, between exactly these markers. */
function pageParts(): { before: string, after: string } {
  const [before, after] = readPage()
  return { before: `${before}<script type="application/json" id="copies">`, after: `</script>${after}` }
}

/**
 * The page that checks the files, with a copy of each inside. Base64 contains nothing that could end the element early.
 */
export function checkPage(files: Files): Uint8Array {
  const { before, after } = pageParts()
  const copies = Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')])
  )
  return utf8(before + JSON.stringify(copies) + after)
}

/** The hash of the page without copies, which is the same for every budget. */
export function pageHash(): string {
  const { before, after } = pageParts()
  return sha256Of(utf8(before + after))
}
