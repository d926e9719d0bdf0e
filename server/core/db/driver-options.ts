import type { Options, PostgresType } from 'postgres'
import type { Duplex } from 'node:stream'
import type { Address } from '../database-address.ts'
import { arrayTypes } from './array-types.ts'

/** `socket` is an option of postgres.js that its types lack. */
export type SqlOptions = Options<Record<string, PostgresType>> & { socket?: () => Duplex }

/**
 * The host appears only in messages, because `stream.ts` opens the sockets. For missing values the drivers use PGUSER
 * and similar variables.
 */
export function toSqlOptions({ hosts, user, password, database, settings }: Address, name: string): SqlOptions {
  const { host, port } = hosts[0]!
  const login = { ...(user ? { user } : {}), ...(password ? { password } : {}), ...(database ? { database } : {}) }
  return {
    host,
    port,
    ...login,
    ssl: false,
    fetch_types: false,
    types: arrayTypes,
    onnotice() {},
    connection: { ...settings, application_name: `svc:${name}`, TimeZone: 'UTC' }
  }
}
