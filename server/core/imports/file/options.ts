import type { ImportColumn, ImportOptions, ImportOptionsChange, SentImportMapping } from '@svc/kit'
import { ImportMapping, ImportOptions as Options } from '@svc/kit/import-schemas'
import { invalid, toPointer, validate } from '../../http/validate.ts'

type Mapping = Record<string, string | string[]>

/** Splits a mapping as sent into the mapping itself and its rules for wrong cells. Throws `validation_failed`. */
export function splitMapping(sent: unknown): { mapping: Mapping, on_wrong: ImportOptions['on_wrong'] } {
  try {
    const { on_wrong, ...mapping } = validate(ImportMapping, sent) as SentImportMapping
    return { mapping: mapping as Mapping, on_wrong: on_wrong as ImportOptions['on_wrong'] }
  } catch {
    throw invalid([{ pointer: '/mapping', message: 'Must name a header of the file, or several, for each field.' }])
  }
}

export const OPTION_NAMES = Object.keys(Options.shape)

/** Reads the options of a form, where each is a text. Throws `validation_failed`. */
export function readOptions(sent: Record<string, string>): ImportOptions {
  const typed = Object.fromEntries(Object.entries(sent).map(([name, text]) => [name, toValue(name, text)]))
  return validate(Options, typed) as ImportOptions
}

function toValue(name: string, text: string): unknown {
  if (name === 'header_line') return /^\d+$/.test(text) ? Number(text) : text
  if (name !== 'on_wrong') return text
  try {
    return JSON.parse(text)
  } catch {
    throw invalid([{ pointer: '/on_wrong', message: 'Not valid JSON.' }])
  }
}

/** The options after a change; null resets an option. */
export function changeOptions(before: ImportOptions, change: ImportOptionsChange): ImportOptions {
  const changed = Object.entries({ ...before, ...change }).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(changed) as ImportOptions
}

/** Throws `validation_failed` for an unknown field, or one whose wrong cells always leave the row out. */
export function checkOnWrong({ on_wrong = {} }: ImportOptions, fields: ImportColumn[]): void {
  const known = fields.filter(({ optional }) => optional).map(({ name }) => name)
  const unknown = Object.keys(on_wrong).filter(field => !known.includes(field))
  if (unknown.length === 0) return
  throw invalid(unknown.map(field => ({
    pointer: toPointer(['on_wrong', field]),
    message: 'A wrong cell of this field cannot be left out alone.'
  })))
}
