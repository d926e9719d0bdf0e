import type { ImportMatch, ImportWrong } from '@svc/kit'
import { emailKey } from '@svc/kit/addresses'
import { WRONG } from '@svc/kit/cells'
import { fold } from '@svc/kit/search'
import type { KnownPatient } from '../../db/import-patients.ts'
import { searchOf } from '../../db/patients.ts'
import type { PatientFields } from './read-patient.ts'
import { claimedBy, isAnotherPerson, mayHaveSameGivenName, namedBy } from './same-person.ts'

export type Whole = Omit<KnownPatient, 'at' | 'id' | 'by'>
/** The result of `match`, for `write`. */
export interface Found { before: KnownPatient | null, after: Whole }

const EMPTY: Whole = {
  first_name: '',
  last_name: '',
  email: null,
  phone: null,
  date_of_birth: null,
  locale: '',
  tax_number: null,
  address: null,
  notes: null,
  search: '',
  external_id: null
}

/**
 * `candidates`: patients with the external id, otherwise with the email and date of birth, otherwise with the same
 * texts. Of several, the one that the row describes is taken. `taken`: ids matched by earlier rows of the batch.
 */
export function matchPatient(
  fields: PatientFields,
  candidates: KnownPatient[],
  taken: Set<string>
): ImportMatch | { wrong: ImportWrong } {
  const known = choose(fields, candidates, taken)
  if (known === 'another') return { wrong: { column: 'external_id', message: WRONG.another } }
  if (known === 'several') return { wrong: { column: 'email', message: WRONG.several } }
  const missing = known ? undefined : (['first_name', 'last_name'] as const).find(field => fields[field] === undefined)
  if (missing) return { wrong: { column: missing, message: WRONG.required } }
  if (known) taken.add(known.id)
  const after = merge(known ?? EMPTY, fields)
  return {
    id: known?.id ?? null,
    changed: known !== null && addsValues(known, fields),
    names: [...known ? namesOf(known) : [], ...namesOf(after)],
    claims: claimsOf(fields, known),
    renamed: known ? renamed(known, after) : undefined,
    record: { before: known, after } satisfies Found
  }
}

type Choice = KnownPatient | 'several' | 'another' | null

function choose(fields: PatientFields, all: KnownPatient[], taken: Set<string>): Choice {
  const [only] = all
  if (only === undefined) return null
  if (only.by === 'external') return isAnotherPerson(fields, only) ? 'another' : only
  if (only.by === 'person') return chooseOfFamily(fields, all.filter(known => mayHaveSameGivenName(fields, known)), taken)
  const free = all.filter(({ id }) => !taken.has(id))
  return free.find(known => !addsValues(known, fields)) ?? free[0] ?? only
}

/**
 * Twins share email and date of birth: the one with the row's name is taken. Of several with that name, the one that
 * has all values of the row.
 */
function chooseOfFamily(fields: PatientFields, all: KnownPatient[], taken: Set<string>): Choice {
  if (all.length < 2) return all[0] ?? null
  const free = all.filter(({ id }) => !taken.has(id))
  const same = free.find(known => !addsValues(known, fields))
  if (same) return same
  const nameOf = ({ first_name = '', last_name = '' }: PatientFields) => fold(`${first_name} ${last_name}`)
  const namesakes = free.filter(({ first_name, last_name }) => nameOf({ first_name, last_name }) === nameOf(fields))
  return namesakes.length === 1 ? namesakes[0]! : 'several'
}

/** The patient's values after the import. An empty cell keeps the stored value. */
function merge(before: Whole, fields: PatientFields): Whole {
  // Assigned one by one: with many rows, spreading would take as long as everything else together.
  const whole = {
    first_name: fields.first_name ?? before.first_name,
    last_name: fields.last_name ?? before.last_name,
    email: fields.email ?? before.email,
    phone: fields.phone ?? before.phone,
    date_of_birth: fields.date_of_birth ?? before.date_of_birth,
    locale: fields.locale ?? before.locale,
    tax_number: fields.tax_number ?? before.tax_number,
    address: fields.address ?? before.address,
    notes: notesOf(before, fields),
    external_id: fields.external_id ?? before.external_id,
    search: ''
  }
  whole.search = searchOf(whole)
  return whole
}

/** Remarks are appended to the stored notes, each once. */
function notesOf(before: Whole, { notes = before.notes ?? undefined, remarks }: PatientFields): string | null {
  if (!remarks) return notes ?? null
  const lines = (notes ?? '').split('\n').map(line => line.trim())
  const all = [notes, ...remarks.filter(remark => !lines.includes(remark))].filter(Boolean).join('\n')
  return all.length > MAX_NOTES_LENGTH ? notes ?? null : all || null
}
const MAX_NOTES_LENGTH = 5000

/** A difference only in case and accents is not another name. */
function renamed(before: Whole, after: Whole): ImportMatch['renamed'] {
  const [from, to] = [before, after].map(({ first_name, last_name }) => `${first_name} ${last_name}`)
  return from === to || fold(from!) === fold(to!) ? undefined : { from: from!, to: to! }
}

/** Ignores white space at the ends, as in the cells that were read. */
const addsValues = (before: Whole, { remarks, ...fields }: PatientFields) =>
  Object.entries(fields).some(([field, value]) =>
    field !== 'notes' && (before[field as keyof Whole] ?? '').trim() !== value)
  || (notesOf(before, { ...fields, remarks }) ?? '').trim() !== (before.notes ?? '').trim()

const external = (id: string) => `external ${id}`
const personOf = ({ email, date_of_birth }: { email?: string | null, date_of_birth?: string | null }) =>
  email && date_of_birth ? `${emailKey(email)} ${date_of_birth}` : null

/**
 * The keys by which other rows could match the record. A row with an external id never matches a record with another
 * one.
 */
function namesOf({ search, external_id, ...whole }: Whole): string[] {
  const person = personOf(whole)
  const named = (key: string) => person === null ? [] : namedBy(`${key} ${person}`, whole.first_name)
  return [
    ...external_id === null ? [] : [external(external_id)],
    ...named('person'),
    ...external_id === null ? named('person without id') : [],
    `text ${search} ${whole.date_of_birth ?? ''}`
  ]
}

function claimsOf(fields: PatientFields, known: KnownPatient | null): string[] {
  const { external_id, first_name, date_of_birth = null } = fields
  if (known) return external_id === undefined ? [] : [external(external_id)]
  const person = personOf(fields)
  const claimed = (key: string) => person === null ? [] : claimedBy(`${key} ${person}`, first_name)
  if (external_id !== undefined) return [external(external_id), ...claimed('person without id')]
  return person === null ? [`text ${merge(EMPTY, fields).search} ${date_of_birth ?? ''}`] : claimed('person')
}
