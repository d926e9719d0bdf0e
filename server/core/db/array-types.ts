import { makePgArray } from 'drizzle-orm/pg-core/utils'
import type { PostgresType } from 'postgres'
import { parse } from 'postgres-array'

/**
 * The object identifiers of `x[]`, the same in every PostgreSQL (pg_type.dat). int8 is read as text, as it is outside
 * arrays.
 */
const TEXTS = { text: 1009, varchar: 1015, name: 1003, uuid: 2951, int8: 1016 }
const NUMBERS = { int2: 1005, int4: 1007 }

/**
 * The array types that the service sends and reads. By default postgres.js queries all array types on each new
 * connection. If the connection ends meanwhile, the error of that query reaches no caller (`unhandledRejection`). With
 * this list, `fetch_types` can be off, which also saves a round trip.
 */
export const arrayTypes: Record<string, PostgresType> = {
  ...typesOf(TEXTS, value => value),
  ...typesOf(NUMBERS, Number)
}

function typesOf(oids: Record<string, number>, parseItem: (item: string) => unknown): Record<string, PostgresType> {
  return Object.fromEntries(Object.entries(oids).map(([name, oid]) => [`${name}_array`, {
    to: oid,
    from: [oid],
    // drizzle converts the arrays of its columns to text before the driver sees them.
    serialize: (value: unknown) => Array.isArray(value) ? makePgArray(value) : value,
    parse: (text: string) => parse(text, parseItem)
  }]))
}
