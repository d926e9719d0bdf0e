import type { ImportColumn } from '@svc/kit'
import { LANGUAGES } from '../../../shared/contract.ts'
import {
  ACTIVE, allOf, CATEGORY, CODE, COUNTS, DESCRIPTION, EXTERNAL_ID, NAME, SURFACES, UNIT_PRICE, VAT
} from './treatment-headers.ts'

/** `name` is in the clinic's language, `name_es` in Spanish. */
const inLanguages = (field: string, headers: string[]): ImportColumn[] =>
  LANGUAGES.map(language => ({ name: `${field}_${language}`, headers: headers.map(header => `${header} ${language}`) }))

const [NAMES, DESCRIPTIONS] = [allOf(NAME), allOf(DESCRIPTION)]

/** Fields of a treatment that a file can have. What is optional can be left out of a row alone. */
export const columns: ImportColumn[] = [
  { name: 'external_id', headers: allOf(EXTERNAL_ID) },
  { name: 'code', headers: allOf(CODE) },
  {
    name: 'name',
    headers: NAMES,
    alone: [{
      instead_of: 'description',
      without: ['name', ...LANGUAGES.map(language => `name_${language}`)],
      headers: DESCRIPTIONS
    }]
  },
  ...inLanguages('name', NAMES),
  { name: 'description', headers: DESCRIPTIONS, optional: true },
  ...inLanguages('description', DESCRIPTIONS).map(column => ({ ...column, optional: true })),
  { name: 'category', headers: allOf(CATEGORY), optional: true },
  { name: 'unit_price', headers: allOf(UNIT_PRICE) },
  { name: 'vat', headers: allOf(VAT) },
  { name: 'active', headers: allOf(ACTIVE), optional: true },
  { name: 'counts', headers: allOf(COUNTS), optional: true },
  { name: 'surfaces', headers: allOf(SURFACES), optional: true }
]
