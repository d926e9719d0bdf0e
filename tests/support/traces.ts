import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { unzipSync } from 'fflate'
import type postgres from 'postgres'
import { inspectPdf } from '@svc/sheet/pdf/inspect.ts'
import { ifMissing } from '../../server/core/files/if-missing.ts'

/** The searched values: name → text, or the bytes of a picture. */
export type SearchedValues = Record<string, string | Uint8Array>

/**
 * The forms in which they may occur: with and without accents, as JSON escapes, in hex, and in Base64 at any position
 * in a longer text.
 */
function spellings(wanted: string | Uint8Array): string[] {
  const bytes = Buffer.from(wanted as Uint8Array)
  const plain
    = typeof wanted === 'string'
      ? [wanted, wanted.normalize('NFKD').replace(/[\u0300-\u036F]/g, ''), encodeURIComponent(wanted)]
      : []
  // The first and the last characters depend on their neighbours.
  const base64 = [0, 1, 2].map(shift =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '')
      .slice(shift === 0 ? 0 : shift + 1, -2)
  )
  const found = [...plain, bytes.toString('hex'), ...base64.filter(text => text.length >= 8)]
  return [
    ...new Set(
      found.flatMap(text => [text, text.replaceAll('+', '-').replaceAll('/', '_')]).map(text => text.toLowerCase())
    )
  ]
}

type Finder = (text: string) => string[]
/** Which of them occur in a text, ignoring case. */
function finderOf(wanted: SearchedValues): Finder {
  const all = Object.entries(wanted).map(([what, text]) => ({ what, forms: spellings(text) }))
  return (text) => {
    const low = text.toLowerCase()
    return all.filter(({ forms }) => forms.some(form => low.includes(form))).map(({ what }) => what)
  }
}

/** Every row of every table as text: `bytea` in hex, `jsonb` and `tsvector` as they print. Dead rows are ignored. */
export async function tracesInTables(sql: postgres.Sql, wanted: SearchedValues): Promise<string[]> {
  const find = finderOf(wanted)
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\_%' order by 1`
  const traces: string[] = []
  for (const { name } of tables) {
    for (const { row } of await sql<{ row: string }[]>`select t::text as row from ${sql.unsafe(name)} t`)
      traces.push(...find(row).map(what => `${what} in ${name}`))
  }
  return [...new Set(traces)]
}

/**
 * Every file below a folder, raw and as people read it: the text of a PDF, the contents of a ZIP. Path below the folder
 * → found values.
 */
export async function tracesInFiles(folder: string, wanted: SearchedValues): Promise<Record<string, string[]>> {
  const find = finderOf(wanted)
  const traces: Record<string, string[]> = {}
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const bytes = await readFile(path).catch(ifMissing(null)) // a temporary file that was removed meanwhile
    if (!bytes) continue
    const found = [...new Set((await textsIn(bytes)).flatMap(find))]
    if (found.length > 0) traces[relative(folder, path)] = found
  }
  return traces
}

async function textsIn(bytes: Uint8Array): Promise<string[]> {
  const raw = Buffer.from(bytes)
  const texts = [raw.toString('utf8'), raw.toString('latin1'), raw.toString('utf16le'), raw.toString('hex')]
  if (raw.subarray(0, 5).toString() === '%PDF-') texts.push((await inspectPdf(bytes)).text)
  if (raw.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004')
    for (const inner of Object.values(unzipSync(bytes))) texts.push(...(await textsIn(inner)))
  return texts
}
