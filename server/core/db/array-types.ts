import { makePgArray } from 'drizzle-orm/pg-core/utils'
import type { PostgresType } from 'postgres'
import { parse } from 'postgres-array'

/** The object identifiers of `x[]`, the same in each PostgreSQL (pg_type.dat). int8 comes as text, as without array. */
const TEXTS = { text: 1009, varchar: 1015, name: 1003, uuid: 2951, int8: 1016 }
const NUMBERS = { int2: 1005, int4: 1007 }

/**
 * The array types of which the service sends and reads values. By itself postgres.js asks the server for all array
 * types on each new connection; when the connection ends meanwhile, that question's error reaches no caller
 * (`unhandledRejection`). With these, `fetch_types` can be off, which also saves a round trip.
 */
export const arrayTypes: Record<string, PostgresType> = {
  ...typesOf(TEXTS, value => value),
  ...typesOf(NUMBERS, Number)
}

function typesOf(oids: Record<string, number>, parseItem: (item: string) => unknown): Record<string, PostgresType> {
  return Object.fromEntries(Object.entries(oids).map(([name, oid]) => [`${name}_array`, {
    to: oid,
    from: [oid],
    // drizzle writes the arrays of its columns as text before the driver sees them.
    serialize: (value: unknown) => Array.isArray(value) ? makePgArray(value) : value,
    parse: (text: string) => parse(text, parseItem)
  }]))
}
