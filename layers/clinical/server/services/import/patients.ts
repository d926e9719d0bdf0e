import type { ImportKind, ImportRow } from '@svc/kit'
import { createDateSurvey } from '@svc/kit/dates'
import { isEmptyWord } from '@svc/kit/empty-words'
import { emailForms } from '@svc/kit/address-forms'
import {
  findKnownPatients, insertPatients, saveExternalIds, updatePatients, type PatientWrite
} from '../../db/import-patients.ts'
import { supported } from '../create-patient.ts'
import { columns } from './columns.ts'
import { matchPatient, type Found } from './match-patient.ts'
import type { RunFacts } from './read-cell.ts'
import { readPatient, textOf, type PatientFields } from './read-patient.ts'

/** The default system of external ids. Exports contain the ids of this system. */
const SYSTEM = 'import'

/**
 * Patients from a file, matched by external id, otherwise by email and date of birth, otherwise by all texts and the
 * date of birth.
 */
export const patients: ImportKind<PatientFields, RunFacts> = {
  columns,
  begin: (_ctx, { settings }) => Promise.resolve({
    locale: supported(settings.locale),
    today: new Date().toISOString().slice(0, 10),
    dates: createDateSurvey()
  }),
  survey({ date_of_birth }, { given }) {
    if (date_of_birth !== undefined && !isEmptyWord(date_of_birth)) given.dates.add(date_of_birth)
  },
  read: readPatient,
  async match(_ctx, { clinic_id, tx, rows, lock, options: { system = SYSTEM } }) {
    const wanted = rows.map(fields => ({
      external_id: fields.external_id ?? null,
      emails: fields.email === undefined ? [] : emailForms(fields.email),
      date_of_birth: fields.date_of_birth ?? null,
      search: textOf(fields)
    }))
    const known = Map.groupBy(await findKnownPatients(tx, { clinic_id, system, rows: wanted, lock }), row => row.at)
    const taken = new Set<string>()
    return rows.map((fields, at) => matchPatient(fields, known.get(at) ?? [], taken))
  },
  async write(_ctx, { clinic_id, user_id, tx, rows, given, options: { system = SYSTEM } }) {
    const toWrite = ({ id, match }: ImportRow<PatientFields>): PatientWrite => {
      const { after } = match.record as Found
      return { ...after, id, user_id, locale: after.locale || given.locale }
    }
    await insertPatients(tx, clinic_id, rows.filter(({ is_new }) => is_new).map(toWrite))
    await updatePatients(tx, rows.filter(({ is_new }) => !is_new).map(toWrite))
    const named = rows.filter(({ fields, match }) =>
      fields.external_id !== undefined && fields.external_id !== (match.record as Found).before?.external_id)
    await saveExternalIds(tx, { clinic_id, system }, named.map(toWrite))
  }
}
