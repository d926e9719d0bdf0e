import type { ImportKind, ImportRow } from '@svc/kit'
import { emailForms } from '@svc/kit/address-forms'
import {
  findKnownPatients, insertPatients, saveExternalIds, updatePatients, type PatientWrite
} from '../../db/import-patients.ts'
import { supported } from '../create-patient.ts'
import { columns } from './columns.ts'
import { matchPatient, type Found } from './match-patient.ts'
import { readPatient, textOf, type PatientFields } from './read-patient.ts'

/** Patients from a file: by external id, else by email and date of birth, else by all texts and the date of birth. */
export const patients: ImportKind<PatientFields, { locale: string }> = {
  columns,
  begin: (_ctx, { settings }) => Promise.resolve({ locale: supported(settings.locale) }),
  read: readPatient,
  async match(_ctx, { clinic_id, tx, rows, lock }) {
    const wanted = rows.map(fields => ({
      external_id: fields.external_id ?? null,
      emails: fields.email === undefined ? [] : emailForms(fields.email),
      date_of_birth: fields.date_of_birth ?? null,
      search: textOf(fields)
    }))
    const known = Map.groupBy(await findKnownPatients(tx, { clinic_id, rows: wanted, lock }), row => row.at)
    const taken = new Set<string>()
    return rows.map((fields, at) => matchPatient(fields, known.get(at) ?? [], taken))
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
    await saveExternalIds(tx, clinic_id, named.map(toWrite))
  }
}
