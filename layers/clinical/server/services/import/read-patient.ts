import type { ImportSettings } from '@svc/kit'
import { readDate, readLanguage, WRONG } from '@svc/kit/cells'
import { line } from '@svc/kit/schemas'
import { PatientChange } from '../../../shared/contract.ts'
import { searchOf } from '../../db/patients.ts'

/** What a row says of a patient; what its cells leave empty is absent. */
export interface PatientFields {
  external_id?: string
  first_name?: string
  last_name?: string
  email?: string
  phone?: string
  date_of_birth?: string
  locale?: string
  notes?: string
}

type Answer = { fields: PatientFields } | { wrong: { column: string, message: string } }

const { first_name, last_name, email, phone, date_of_birth, locale, notes } = PatientChange.shape
const SCHEMAS = { external_id: line(100), first_name, last_name, email, phone, date_of_birth, locale, notes }
const MESSAGES: Partial<Record<string, string>> = {
  external_id: WRONG.external_id,
  email: WRONG.email,
  phone: WRONG.phone,
  date_of_birth: WRONG.birth,
  locale: WRONG.language
}

export function readPatient(cells: Record<string, string>, { settings }: { settings: ImportSettings }): Answer {
  const fields: Record<string, string> = {}
  for (const [column, cell] of Object.entries(cells)) {
    const typed = column === 'date_of_birth'
      ? readDate(cell, settings)
      : column === 'locale' ? readLanguage(cell) : cell
    if (typed === null) return { wrong: { column, message: column === 'locale' ? WRONG.language : WRONG.date } }
    const parsed = SCHEMAS[column as keyof typeof SCHEMAS].safeParse(typed)
    if (!parsed.success) return { wrong: { column, message: messageOf(column, parsed.error.issues[0]!.code) } }
    fields[column] = parsed.data!
  }
  return { fields }
}

function messageOf(column: string, code: string): string {
  if (MESSAGES[column]) return MESSAGES[column]
  return code === 'too_big' ? WRONG.long : WRONG.text
}

/** What a patient is looked for by if the row has neither an external id nor email and date of birth: all of it. */
export const textOf = (fields: PatientFields): string | null =>
  fields.external_id !== undefined || (fields.email !== undefined && fields.date_of_birth !== undefined)
    ? null
    : searchOf({ first_name: '', last_name: '', ...fields })
