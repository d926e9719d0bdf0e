import type { Actor, Client } from '../requests.ts'
import type { ImportEncoding, ImportOptions } from './kinds.ts'

/** Field → one or more headers of the file. */
export type ImportMapping = Record<string, string | string[]>
/** A mapping as it was sent, which may also contain `on_wrong`. */
export type SentImportMapping = Record<string, string | string[] | ImportOptions['on_wrong']>
/** A request's changes of options; null resets an option. */
export type ImportOptionsChange = { [Option in keyof ImportOptions]?: ImportOptions[Option] | null }
/** How the file is read, whether chosen or guessed. */
export interface ImportForm {
  encoding: ImportEncoding
  /** The encoding of lines in a UTF-8 file that aren't UTF-8, and the first 50 of these lines. */
  other: ImportEncoding | null
  other_lines: number[]
  /** Line of the file, from 1; 0 if it has no header. */
  header_line: number
  /** Lines without a record, such as a title or a total. */
  passed_over: number[]
  /** Cells with letters beyond ASCII, which show whether the encoding is right; empty once the import has ended. */
  samples: string[]
  /** The first lines of the file, including the header and lines above it; empty once the import has ended. */
  first_lines: { line: number, text: string }[]
}
/** `first`: the first 50. `errors.csv` has all of them. */
export interface ImportRemarks {
  total: number
  first: { line: number, column: string, message: string, value: string }[]
}
export interface ImportCounts { new: number, changed: number, same: number, wrong: number }
export interface ImportView {
  id: string
  file_name: string
  /** Headers of the file. */
  columns: string[]
  mapping: ImportMapping
  /** The options that people chose. */
  options: ImportOptions
  form: ImportForm
  /** The first rows, cell by cell; empty once the import has ended. */
  preview: string[][]
  /** Fields that the mapping can use. */
  fields: string[]
  /** The fields that can have several columns, and how these are combined. */
  several: Record<string, 'first' | 'join'>
  /** The fields that `on_wrong` can name. */
  optional: string[]
  state: 'uploaded' | 'checked' | 'running' | 'done' | 'failed'
  progress: { done: number, total: number }
  /** The number of checks in the queue before this one; null if it isn't waiting. */
  checks_before: number | null
  /** Counts of the last check or run; null before the first. */
  counts: ImportCounts | null
  /** The first wrong rows. */
  errors: { line: number, column: string, message: string }[]
  /** Cells that were dropped from their rows. */
  lost: ImportRemarks
  /** How ambiguous cells were read. */
  notes: ImportRemarks
  /** Records that get another name. */
  renamed: { total: number, first: { line: number, from: string, to: string }[] }
  /** The problem code of a failed import. */
  reason: string | null
  created_at: string
  finished_at: string | null
}
interface ImportAt { clinic_id: string, id: string }

/**
 * Imports of the module's kinds, by the kind's name. The kit's `import-endpoints` builds endpoints from them. An id
 * that is unknown, of another clinic or of another kind is `not_found`.
 */
export interface Imports {
  /**
   * `bytes`, whole or in pieces: multipart with `file`, `mapping` as JSON, and options by their names. Throws
   * `file_unreadable`, `payload_too_large`, `bad_request` for any other body, `validation_failed` for a mapping that
   * doesn't fit, and `storage_full` and `storage_unavailable`.
   */
  create (
    kind: string,
    at: {
      clinic_id: string
      user_id: string | null
      content_type: string | undefined
      bytes: Uint8Array | AsyncIterable<Uint8Array>
    }
  ): Promise<ImportView>
  get (kind: string, at: ImportAt): Promise<ImportView>
  /**
   * A new encoding or header line reads the file again, and guesses the columns again unless `mapping` is present.
   * Throws `validation_failed`, `file_unreadable`, and `wrong_state` once the import is running.
   */
  map (kind: string, at: ImportAt & { mapping?: SentImportMapping, options?: ImportOptionsChange }): Promise<ImportView>
  /**
   * Checks the file without changing records, and stores the counts. Each process checks one file at a time; until its
   * turn `checks_before` is the number of checks before it. Aborts with the reason of `signal`. Throws `wrong_state`,
   * `busy` when too many are waiting, and the errors of `match`.
   */
  check (kind: string, at: ImportAt & { signal?: AbortSignal }): Promise<ImportView>
  /** Starts the job that writes the records. Throws `wrong_state`. */
  run (kind: string, at: ImportAt & { actor: Actor, client: Client }): Promise<ImportView>
  /** All wrong rows as CSV. */
  errors (kind: string, at: ImportAt): Promise<string>
}
