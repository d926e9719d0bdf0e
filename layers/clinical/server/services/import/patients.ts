import type { ImportKind, ImportMatch, ImportRow } from '@svc/kit'
import { WRONG } from '@svc/kit/cells'
import {
  findWanted, insertPatients, nameExternally, updatePatients, type KnownPatient, type PatientWrite
} from '../../db/import-patients.ts'
import { searchOf } from '../../db/patients.ts'
import { supported } from '../create-patient.ts'
import { columns } from './columns.ts'
import { namesOf, readPatient, sightOf, type PatientFields } from './read-patient.ts'

type Whole = Omit<KnownPatient, 'at' | 'id'>

const EMPTY: Whole = {
  first_name: '',
  last_name: '',
  email: null,
  phone: null,
  date_of_birth: null,
  locale: '',
  notes: null,
  search: '',
  external_id: null
}

/** What `match` found, for `write`. */
interface Found { before: KnownPatient | null, after: Whole }

/** What an import makes of a patient: an empty cell leaves what is stored. */
const merged = (before: Whole, fields: PatientFields): Whole => {
  const whole = { ...before, ...fields }
  return { ...whole, search: searchOf(whole) }
}

/** White space at the ends says nothing: cells are read without it. */
const saysMore = (before: Whole, fields: PatientFields) =>
  Object.entries(fields).some(([field, value]) => (before[field as keyof Whole] ?? '').trim() !== value)

function matchPatient(
  fields: PatientFields,
  known: KnownPatient | undefined
): ImportMatch | { wrong: { column: string, message: string } } {
  const missing = known ? undefined : (['first_name', 'last_name'] as const).find(field => fields[field] === undefined)
  if (missing) return { wrong: { column: missing, message: WRONG.required } }
  const after = merged(known ?? EMPTY, fields)
  const names = [...known ? namesOf(known) : [], ...namesOf(after)]
  return {
    id: known?.id ?? null,
    changed: known !== undefined && saysMore(known, fields),
    names,
    record: { before: known ?? null, after } satisfies Found
  }
}

/** Patients from a file: by external id, else by email and date of birth, else by the same name and number. */
export const patients: ImportKind<PatientFields, { locale: string }> = {
  columns,
  begin: (_ctx, { settings }) => Promise.resolve({ locale: supported(settings.locale) }),
  read: readPatient,
  async match(_ctx, { clinic_id, tx, rows, lock }) {
    const wanted = rows.map(fields => ({
      external_id: fields.external_id ?? null,
      email: fields.email ?? null,
      date_of_birth: fields.date_of_birth ?? null,
      search: sightOf(fields)
    }))
    const known = new Map((await findWanted(tx, { clinic_id, rows: wanted, lock })).map(row => [row.at, row]))
    return rows.map((fields, at) => matchPatient(fields, known.get(at)))
  },
  async write(_ctx, { clinic_id, user_id, tx, rows, given }) {
    const toWrite = ({ id, match }: ImportRow<PatientFields>): PatientWrite => {
      const { first_name, last_name, email, phone, date_of_birth, locale, notes, search, external_id }
        = (match.record as Found).after
      const language = locale || given.locale
      return {
        id, first_name, last_name, email, phone, date_of_birth, locale: language, notes, search, external_id, user_id
      }
    }
    await insertPatients(tx, clinic_id, rows.filter(({ is_new }) => is_new).map(toWrite))
    await updatePatients(tx, rows.filter(({ is_new }) => !is_new).map(toWrite))
    const named = rows.filter(({ fields, match }) =>
      fields.external_id !== undefined && fields.external_id !== (match.record as Found).before?.external_id)
    await nameExternally(tx, clinic_id, named.map(toWrite))
  }
}
