import type { ImportAtHand } from '@svc/kit'
import { readLanguage, WRONG } from '@svc/kit/cells'
import { readDay, type DateReading, type DateSurvey } from '@svc/kit/dates'
import { line } from '@svc/kit/schemas'
import { PatientChange } from '../../../shared/contract.ts'
import { PHONE_FAULTS } from '../phone/assert-phone.ts'
import { readPhone } from '../phone/read-phone.ts'

/**
 * `remark`: further content of the cell, for the notes. `note`: how the cell was read, for people who check the file.
 */
type Reading = { value: string, remark?: string, note?: string } | { wrong: string }
/**
 * Facts about the run besides the file: the day on which it began, and the result of examining the whole column of
 * dates.
 */
export interface RunFacts { locale: string, today: string, dates: DateSurvey }
type At = ImportAtHand<RunFacts>
type Reader = (cell: string, at: At) => Reading

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
  date_of_birth: readBirth,
  phone: readNumber,
  locale: cell => orWrong(readLanguage(cell), WRONG.language),
  email: readEmail
}
const orWrong = (value: string | null, wrong: string): Reading => value === null ? { wrong } : { value }

/** By field name. */
export function readCell(column: string, cell: string, at: At): Reading {
  const read = READERS[column]?.(cell, at) ?? { value: cell }
  if ('wrong' in read) return read
  const parsed = SCHEMAS[column as keyof typeof SCHEMAS].safeParse(read.value)
  return parsed.success ? { ...read, value: parsed.data! } : { wrong: messageOf(column, parsed.error.issues[0]!.code) }
}

function messageOf(column: string, code: string): string {
  if (MESSAGES[column]) return MESSAGES[column]
  return code === 'too_big' ? WRONG.long : WRONG.text
}

const READINGS: Record<DateReading, string> = {
  dmy: WRONG.read_dmy,
  mdy: WRONG.read_mdy,
  century: WRONG.read_century,
  dmy_century: WRONG.read_dmy_century,
  mdy_century: WRONG.read_mdy_century,
  serial: WRONG.read_serial
}

function readBirth(cell: string, { settings: { locale, country }, options: { date_order }, given }: At): Reading {
  const { today, dates: survey } = given
  const read = readDay(cell, { locale, country, today, survey, ...date_order === undefined ? {} : { date_order } })
  if (!read) return { wrong: WRONG.date }
  return read.how ? { value: read.day, note: READINGS[read.how] } : { value: read.day }
}

function readNumber(cell: string, { settings: { country } }: At): Reading {
  const read = readPhone(cell, country)
  if ('fault' in read) return { wrong: read.fault === 'spreadsheet' ? WRONG.spreadsheet : PHONE_FAULTS[read.fault] }
  return read.rest === null ? { value: read.phone } : { value: read.phone, remark: read.rest, note: WRONG.in_notes }
}

/** The first of several addresses in one cell; the others go to the notes. */
function readEmail(cell: string): Reading {
  const named = /^[^<@]*<(?:mailto:)?([^<>]+)>$/.exec(cell)
  if (named) return { value: named[1]! }
  const parts = cell.replace(/^mailto:/i, '').split(/[\s,;|/<>()]+/).filter(Boolean)
  const first = parts.find(part => part.includes('@'))
  if (first === undefined) return { value: cell }
  const remark = parts.filter(part => part !== first).join(' ')
  return remark === '' ? { value: first } : { value: first, remark, note: WRONG.in_notes }
}
