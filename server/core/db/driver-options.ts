import type { PoolConfig } from 'pg'
import type { Options, PostgresType } from 'postgres'
import type { Duplex } from 'node:stream'
import type { Address } from './address.ts'
import { arrayTypes } from './array-types.ts'

/** `socket` is an option of postgres.js that its types do not know. */
export type SqlOptions = Options<Record<string, PostgresType>> & { socket?: () => Duplex }

/**
 * The host is for messages only: the sockets are ours (`stream.ts`). What is absent the drivers take from PGUSER and
 * its like.
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

/** The job library's driver knows few settings by name; the server takes all of them in `options`. */
export function toPoolConfig({ hosts, user, password, database, settings }: Address): PoolConfig {
  const { host, port } = hosts[0]!
  const { options: given, ...others } = settings
  const escaped = (value: string) => value.replace(/[\\ ]/g, '\\$&')
  const options = [
    ...(given ? [given] : []),
    ...Object.entries(others).map(([name, value]) => `-c ${name}=${escaped(value)}`)
  ].join(' ')
  return { host, port, user, password, database, ssl: false, ...(options ? { options } : {}) }
}
