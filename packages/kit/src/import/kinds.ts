import type { Clinic } from '../clinic.ts'
import type { Ctx } from '../context.ts'
import type { Tx } from '../database.ts'
import type { IMPORT_ENCODINGS } from './schemas.ts'

/** A column of the file that the import reads. */
export interface ImportColumn {
  /** The field's name, such as `first_name`. */
  name: string
  /** Names of the field in headers of files, in any language. Case, accents and punctuation don't matter. */
  headers: string[]
  /**
   * Headers of columns that form the field together, in the order in which they are joined: street, postal code, city.
   * For a field that takes the first value that isn't empty: in order of preference.
   */
  parts?: string[][]
  /**
   * Headers that name another field (`instead_of`), but this field if the file has no column for any of `without`:
   * “Name” is a last name, or the full name if there is no column for the first name.
   */
  alone?: { instead_of: string, without: string[], headers: string[] }[]
  /**
   * How several columns of the file become this field: the first value that isn't empty (the default), or all of them
   * joined. With this member people can map several columns to the field.
   */
  combine?: 'first' | 'join'
  /** Between joined cells; default a blank. */
  separator?: string
  /** The maximum number of columns for this field; default 4. */
  most?: number
  /**
   * `read` may drop a wrong cell of this field and keep the row (`lost`). People may choose to leave such rows out
   * instead (`on_wrong`).
   */
  optional?: boolean
}
/** Why a row is left out. `column` is a field's name; people see the file's own header. */
export interface ImportWrong { column: string, message: string }
/** A cell that was dropped, or how a cell was read. `value` defaults to the cell's text. */
export interface ImportRemark { column: string, message: string, value?: string }

/** Encodings of a file without a byte order mark. */
export type ImportEncoding = typeof IMPORT_ENCODINGS[number]
/** How to read a file. Absent options are guessed, or follow the clinic's language and country. */
export interface ImportOptions {
  encoding?: ImportEncoding
  /** Line of the file, from 1, with the names of the columns; 0 if there is none. */
  header_line?: number
  /** The order in dates such as 3/4/1985. */
  date_order?: 'dmy' | 'mdy'
  /** The order of names in one cell. A comma takes precedence. */
  name_order?: 'last_first' | 'first_last'
  /** The system that the external ids come from, as in `external_ids`: `[a-z0-9-]{1,30}`. */
  system?: string
  /** Fields for which a wrong cell leaves the whole row out. For other fields only the value is dropped. */
  on_wrong?: Record<string, 'leave_row_out'>
}
/** The context in which rows of a file are read. */
export interface ImportAtHand<Facts = any> { settings: ImportSettings, given: Facts, options: ImportOptions }
/** The clinic's settings when the file was uploaded; they define what its cells mean. */
export type ImportSettings = Pick<Clinic, 'locale' | 'country' | 'currency' | 'prices_include_tax'>

/** What the module already stores for a row. */
export interface ImportMatch {
  /** The record's id; null if the row is new. */
  id: string | null
  /** Whether the row's cells differ from the stored record. */
  changed: boolean
  /**
   * Keys by which other rows of the file could find the record, before and after the change, such as `code a1`. Any
   * text will do that is the same for every row.
   */
  names: string[]
  /** Keys that no earlier row of the file may have; otherwise this row is wrong. */
  claims: string[]
  /** Set if the record gets another name. People see such rows before they run the import. */
  renamed?: { from: string, to: string } | undefined
  /** Passed to `write`. */
  record?: unknown
}

/**
 * Records that are imported from a CSV file, row by row. The host reads the file, maps its columns, counts, and writes
 * in batches of 500 rows, one transaction each. After an interruption it continues after the last complete batch.
 */
export interface ImportKind<Fields = any, Facts = any> {
  columns: ImportColumn[]
  /** Called once per run, before the first row. Returns what `read` needs besides the row. */
  begin? (ctx: Ctx, at: { clinic_id: string, settings: ImportSettings, options: ImportOptions }): Promise<Facts>
  /**
   * Called for every row before the first is read, to learn what only a whole column can show, such as whether all of
   * its dates are serial numbers. Store the result in `given`, and keep it small.
   */
  survey? (cells: Record<string, string>, at: ImportAtHand<Facts>): void
  /**
   * Reads one row, by names of `columns`. Empty cells are left out, and don't change the stored value. `lost`: cells
   * that the row is imported without. `notes`: how ambiguous cells were read.
   */
  read (
    cells: Record<string, string>,
    at: ImportAtHand<Facts>
  ): { fields: Fields, lost?: ImportRemark[], notes?: ImportRemark[] } | { wrong: ImportWrong }
  /**
   * Returns for each row the stored record, or why the row is wrong. With `lock` it locks the records until the
   * transaction ends. A problem that it throws ends the import.
   */
  match (
    ctx: Ctx,
    batch: ImportAtHand<Facts> & { clinic_id: string, tx: Tx, rows: Fields[], lock: boolean }
  ): Promise<(ImportMatch | { wrong: ImportWrong })[]>
  /** Writes rows that are new or change a record. */
  write (
    ctx: Ctx,
    batch: ImportAtHand<Facts> & { clinic_id: string, user_id: string | null, tx: Tx, rows: ImportRow<Fields>[] }
  ): Promise<void>
}
/** `id`: the record's id; a new record must get this id. */
export interface ImportRow<Fields = any> { id: string, is_new: boolean, fields: Fields, match: ImportMatch }
