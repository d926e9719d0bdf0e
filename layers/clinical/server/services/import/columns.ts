import type { ImportColumn } from '@svc/kit'
import {
  ADDRESS, allOf, DATE_OF_BIRTH, EMAIL, EXTERNAL_ID, FIRST_NAME, FULL_NAME, LANGUAGE, LAST_NAME, MOBILE, NOTES,
  ONLY_NAME, OTHER_PHONE, PHONE, SURNAMES, TAX_NUMBER
} from './patient-headers.ts'

/**
 * The fields of a patient that a file can have. If the value of an optional field is wrong, the rest of its row can
 * still be imported.
 */
export const columns: ImportColumn[] = [
  { name: 'external_id', headers: allOf(EXTERNAL_ID) },
  { name: 'first_name', headers: allOf(FIRST_NAME) },
  { name: 'last_name', headers: allOf(LAST_NAME), parts: SURNAMES.map(allOf), combine: 'join', most: 2 },
  {
    name: 'full_name',
    headers: allOf(FULL_NAME),
    alone: [
      { instead_of: 'first_name', without: ['last_name'], headers: ONLY_NAME },
      { instead_of: 'last_name', without: ['first_name'], headers: ONLY_NAME }
    ]
  },
  { name: 'email', headers: allOf(EMAIL), combine: 'first', optional: true },
  {
    name: 'phone',
    headers: [],
    parts: [MOBILE, PHONE, OTHER_PHONE].map(allOf),
    combine: 'first',
    optional: true
  },
  { name: 'date_of_birth', headers: allOf(DATE_OF_BIRTH), optional: true },
  { name: 'locale', headers: allOf(LANGUAGE), optional: true },
  { name: 'tax_number', headers: allOf(TAX_NUMBER), combine: 'first', optional: true },
  {
    name: 'address',
    headers: [],
    parts: ADDRESS.map(allOf),
    combine: 'join',
    separator: ', ',
    optional: true
  },
  { name: 'notes', headers: allOf(NOTES), combine: 'join', separator: '\n', optional: true }
]
