import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { isMissing } from '../modules/backup/backup.ts'

/** The side file of a dump, `<file>.json`. */
const Note = z.object({
  kind: z.literal('instance'),
  /** The version of the service that wrote it. */
  version: z.string(),
  /** ISO 8601, UTC. */
  created_at: z.string(),
  /** Of the .sql file, hexadecimal. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.int(),
  /** `core`, and each module that has tables: the applied revisions, in order. */
  branches: z.array(
    z.object({
      module: z.string(),
      version: z.string().nullable(),
      revisions: z.array(z.object({ revision: z.string(), checksum: z.string() }))
    })
  ),
  /** Per table. */
  rows: z.record(z.string(), z.int())
})
export type DumpNote = z.infer<typeof Note>
export type Branch = DumpNote['branches'][number]

export const noteOf = (file: string) => `${file}.json`

/** Null if there is no note, or it isn't a dump's. */
export async function findDumpNote(file: string): Promise<DumpNote | null> {
  try {
    return Note.parse(JSON.parse(await readFile(noteOf(file), 'utf8')))
  } catch (error) {
    if (error instanceof z.ZodError || error instanceof SyntaxError || isMissing(error)) return null
    throw error
  }
}
