import { problem, type Ctx, type ImportKind, type ImportMatch, type ImportRow } from '@svc/kit'
import { foldHeader, WRONG } from '@svc/kit/cells'
import { fold } from '@svc/kit/search'
import { LANGUAGES } from '../../../shared/contract.ts'
import { holdPriceMode } from '../../db/convert-prices.ts'
import {
  findKnownTreatments, insertTreatments, saveExternalIds, updateTreatments, type KnownTreatment, type TreatmentWrite
} from '../../db/import-treatments.ts'
import { searchOf, selectCategories } from '../../db/treatments.ts'
import { CATEGORY_WORDS } from './category-words.ts'
import { columns } from './columns.ts'
import { createAmountSurvey } from './read-amounts.ts'
import { readTreatment, surveyTreatment, type TreatmentSurvey, type TreatmentFields } from './read-treatment.ts'

type Whole = Omit<KnownTreatment, 'at' | 'id' | 'taken'>

const EMPTY: Whole = {
  code: '',
  name: {},
  description: {},
  category: null,
  unit_price: '0',
  vat: 0,
  active: true,
  counts: 'tooth',
  surfaces: null,
  external_id: null
}

/** What an import makes of a treatment: an empty cell leaves what is stored, also in another language. */
function mergeTreatment(before: Whole, { code, ...fields }: TreatmentFields): Whole {
  const isSameCode = code === undefined || code.toLowerCase() === before.code.toLowerCase()
  return {
    ...before,
    ...fields,
    code: isSameCode ? before.code : code,
    active: fields.active ?? (before.active || getsFirstPrice(before, fields)),
    name: { ...before.name, ...fields.name },
    description: { ...before.description, ...fields.description }
  }
}

const isSame = (before: Whole, after: Whole) =>
  (['code', 'category', 'unit_price', 'vat', 'active', 'counts', 'surfaces', 'external_id'] as const)
    .every(field => before[field] === after[field])
    && (['name', 'description'] as const).every(field =>
      Object.entries(after[field]).every(([language, text]) => before[field][language]?.trim() === text.trim()))

/** As in the editor: a starter treatment, which is inactive until it has a price, can be used with one. */
const getsFirstPrice = (before: Whole, { unit_price = '0' }: Pick<TreatmentFields, 'unit_price'>) =>
  Number(before.unit_price) === 0 && Number(unit_price) > 0

const NEEDED = ['code', 'name', 'unit_price'] as const

function matchTreatment(
  fields: TreatmentFields,
  known: KnownTreatment | undefined,
  { language }: TreatmentSurvey
): ImportMatch | { wrong: { column: string, message: string } } {
  const missing = known ? undefined : NEEDED.find(field => fields[field] === undefined)
  if (missing) return { wrong: { column: missing, message: missing === 'unit_price' ? WRONG.no_price : WRONG.required } }
  if (known?.taken) return { wrong: { column: 'code', message: WRONG.taken } }
  const after = mergeTreatment(known ?? EMPTY, fields)
  const claims = namesOf(after)
  if (!known) return { id: null, changed: false, names: claims, claims }
  const names = [...namesOf(known), ...claims]
  const renamed = renamedIn(language, known, after)
  return { id: known.id, changed: !isSame(known, after), names, claims, record: known, ...renamed && { renamed } }
}

/** A code of another price list may be another treatment’s: people see it before they run the import. */
function renamedIn(language: string, before: Whole, after: Whole): ImportMatch['renamed'] | null {
  const [from = '', to = ''] = [before.name[language], after.name[language]]
  return from === '' || fold(from) === fold(to) ? null : { from: `${before.code} ${from}`, to: `${after.code} ${to}` }
}

/** What belongs to one treatment only. */
const namesOf = ({ external_id, code }: Pick<Whole, 'external_id' | 'code'>): string[] =>
  [...external_id === null ? [] : [`external ${external_id}`], `code ${code.toLowerCase()}`]

/** Whose numbers external ids are, unless people say it. Exports write those of this system. */
const SYSTEM = 'import'

/** Treatments from a file: by external id, else by code. */
export const treatments: ImportKind<TreatmentFields, TreatmentSurvey> = {
  columns,
  async begin(ctx: Ctx, { settings }) {
    const stored = await selectCategories(ctx.db)
    const meanings = (code: string, words: readonly string[]) => words.map(word => [foldHeader(word), code] as const)
    // Later entries win: a category's own name beats a word of the list.
    const categories = [
      ...stored.flatMap(({ code }) => meanings(code, CATEGORY_WORDS[code] ?? [])),
      ...stored.flatMap(({ code, name }) => meanings(code, [code, ...Object.values(name)]))
    ]
    const language = settings.locale.split('-')[0]!.toLowerCase()
    return {
      categories: new Map(categories),
      language: LANGUAGES.find(known => known === language) ?? 'en',
      amounts: createAmountSurvey()
    }
  },
  survey: surveyTreatment,
  read: readTreatment,
  async match(ctx, { clinic_id, tx, rows, settings, given, lock, options: { system = SYSTEM } }) {
    // The prices of the file are in the mode that the clinic had.
    if (lock) await holdPriceMode(tx, clinic_id)
    const { prices_include_tax, currency } = await ctx.clinics.get(clinic_id, tx)
    if (prices_include_tax !== settings.prices_include_tax) throw problem('price_mode_changed')
    if (currency !== settings.currency)
      throw problem('wrong_state', { detail: 'The clinic’s currency was changed meanwhile.' })
    const wanted = rows.map(({ external_id = null, code = null }) => ({ external_id, code }))
    const known = new Map((await findKnownTreatments(tx, { clinic_id, system, rows: wanted, lock }))
      .map(row => [row.at, row]))
    return rows.map((fields, at) => matchTreatment(fields, known.get(at), given))
  },
  async write(_ctx, { clinic_id, user_id, tx, rows, options: { system = SYSTEM } }) {
    const toWrite = ({ id, fields, match }: ImportRow<TreatmentFields>): TreatmentWrite => {
      const whole = mergeTreatment((match.record as KnownTreatment | undefined) ?? EMPTY, fields)
      return { ...whole, id, search: searchOf(whole), user_id }
    }
    await insertTreatments(tx, clinic_id, rows.filter(({ is_new }) => is_new).map(toWrite))
    await updateTreatments(tx, rows.filter(({ is_new }) => !is_new).map(toWrite))
    const named = rows.filter(({ fields: { external_id }, match }) =>
      external_id !== undefined && external_id !== (match.record as KnownTreatment | undefined)?.external_id)
    await saveExternalIds(tx, { clinic_id, system }, named.map(toWrite))
  }
}
