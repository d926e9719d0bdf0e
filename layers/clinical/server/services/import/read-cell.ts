import type { ImportSettings } from '@svc/kit'
import { readDate, readLanguage, WRONG } from '@svc/kit/cells'
import { line } from '@svc/kit/schemas'
import { PatientChange } from '../../../shared/contract.ts'

/** `remark`: what else the cell says, for the notes. `note`: how it was read, for who checks the file. */
type Reading = { value: string, remark?: string, note?: string } | { wrong: string }
type Reader = (cell: string, settings: ImportSettings) => Reading

const { first_name, last_name, email, phone, date_of_birth, locale, tax_number, address, notes } = PatientChange.shape
const SCHEMAS = {
  external_id: line(100), first_name, last_name, email, phone, date_of_birth, locale, tax_number, address, notes
}
const MESSAGES: Partial<Record<string, string>> = {
  external_id: WRONG.external_id,
  email: WRONG.email,
  phone: WRONG.phone,
  date_of_birth: WRONG.birth,
  locale: WRONG.language
}

const READERS: Partial<Record<string, Reader>> = {
  date_of_birth: (cell, settings) => orWrong(readDate(cell, settings), WRONG.date),
  locale: cell => orWrong(readLanguage(cell), WRONG.language),
  email: readEmail
}
const orWrong = (value: string | null, wrong: string): Reading => value === null ? { wrong } : { value }

/** By the field's name. */
export function readCell(column: string, cell: string, settings: ImportSettings): Reading {
  const read = READERS[column]?.(cell, settings) ?? { value: cell }
  if ('wrong' in read) return read
  const parsed = SCHEMAS[column as keyof typeof SCHEMAS].safeParse(read.value)
  return parsed.success ? { ...read, value: parsed.data! } : { wrong: messageOf(column, parsed.error.issues[0]!.code) }
}

function messageOf(column: string, code: string): string {
  if (MESSAGES[column]) return MESSAGES[column]
  return code === 'too_big' ? WRONG.long : WRONG.text
}

/** Of several addresses in one cell the first; the others go to the notes. */
function readEmail(cell: string): Reading {
  const named = /^[^<@]*<(?:mailto:)?([^<>]+)>$/.exec(cell)
  if (named) return { value: named[1]! }
  const parts = cell.replace(/^mailto:/i, '').split(/[\s,;|/<>()]+/).filter(Boolean)
  const first = parts.find(part => part.includes('@'))
  if (first === undefined) return { value: cell }
  const remark = parts.filter(part => part !== first).join(' ')
  return remark === '' ? { value: first } : { value: first, remark, note: WRONG.in_notes }
}
