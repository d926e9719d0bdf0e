import type { LANGUAGES } from '../schemas.ts'

/** What `ctx.use('catalog')` returns. */
export interface Catalog {
  /** In any order, without the ids that are unknown, malformed or another clinic's. */
  getTreatments (clinic_id: string, ids: string[]): Promise<PricedTreatment[]>
  listTreatments (clinic_id: string, query: TreatmentQuery): Promise<{ rows: Treatment[], total: number }>
  /** Like `PUT …/by-external-id/{system}/{id}`: adds or changes. Throws `code_taken` and the like. */
  upsertTreatment (
    clinic_id: string,
    by: { system: string, id: string },
    fields: TreatmentFields
  ): Promise<Treatment>
}

export interface PricedTreatment {
  id: string
  code: string
  /** Texts by language: `{ en: 'Cleaning', es: 'Limpieza' }`. */
  name: Record<string, string>
  description: Record<string, string>
  /** Minor units of the clinic's currency. */
  unit_price: bigint
  /** Whether `unit_price` includes tax. */
  prices_include_tax: boolean
  /** Hundredths of a percent. */
  vat: bigint
  active: boolean
}

/** As the API has it: money is decimal text of the clinic's currency, `vat` a percentage as text. */
export interface Treatment {
  id: string
  code: string
  name: Record<string, string>
  description: Record<string, string>
  /** A category's code. */
  category: string | null
  unit_price: string
  /** The price includes tax. If absent, it doesn't. */
  prices_include_tax?: true
  vat: string
  active: boolean
  /** What the quantity of a line counts. */
  counts: 'tooth' | 'piece' | 'once'
  /** A filling's number of surfaces, or the lowest of them. */
  surfaces: number | null
  external_ids: Record<string, string>
  created_at: string
  updated_at: string
}

type Texts = Partial<Record<typeof LANGUAGES[number], string>>

export interface TreatmentFields {
  code: string
  name: Texts
  description?: Texts
  category?: string | null
  unit_price: string
  /** Refused unless it is the clinic's setting, which is the default. */
  prices_include_tax?: boolean
  vat: string
  active?: boolean
  /** `tooth` by default. */
  counts?: 'tooth' | 'piece' | 'once'
  /** From 1 to 5. */
  surfaces?: number | null
  external_ids?: Record<string, string>
}

/** Pages begin at 1; `page_size` is 100 at most. */
export interface TreatmentQuery {
  search?: string
  category?: string
  active?: 'true' | 'false'
  /** `false`: those at 0.00. */
  priced?: 'true' | 'false'
  /** `best`: what fits the search best comes first. */
  order?: 'list' | 'best'
  /** The surfaces of a budget's line, for `best`. */
  surfaces?: number
  page: number
  page_size: number
}
