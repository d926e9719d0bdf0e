import { sha256Of, utf8, type Files } from './files.ts'

const PAGE = ['<!doctype html>\n<meta charset="utf-8">\n<title>Evidence</title>\n<script type="application/json" id="copies">', '</script>\n'] as const

/** The page that checks the files, with a copy of each inside. */
export function checkPage(files: Files): Uint8Array {
  const copies = Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]))
  return utf8(PAGE.join(JSON.stringify(copies)))
}

/** Of the page without copies, which is the same for every budget. */
export const pageHash = (): string => sha256Of(utf8(PAGE.join('')))
