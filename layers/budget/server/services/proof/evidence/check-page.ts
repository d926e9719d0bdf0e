import { sha256Of, utf8, type Files } from './files.ts'
import { AFTER_COPIES, BEFORE_COPIES } from './page.generated.ts'

/** The page finds its copies, and those of another page, between exactly these. */
const BEFORE = `${BEFORE_COPIES}<script type="application/json" id="copies">`
const AFTER = `</script>${AFTER_COPIES}`

/** The page that checks the files, with a copy of each inside. Base64 holds nothing that could end the element early. */
export function checkPage(files: Files): Uint8Array {
  const copies = Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]))
  return utf8(BEFORE + JSON.stringify(copies) + AFTER)
}

/** Of the page without copies, which is the same for every budget. */
export const pageHash = (): string => sha256Of(utf8(BEFORE + AFTER))
