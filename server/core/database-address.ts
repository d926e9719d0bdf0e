import { readFileSync } from 'node:fs'
import type { HostAddress, Tls } from '@svc/postgres-sockets/stream.ts'

export type { HostAddress, Tls }

/** The parsed `DATABASE_URL`, for both drivers. */
export interface Address {
  hosts: HostAddress[]
  user?: string
  password?: string
  database?: string
  tls: Tls
  /** Server settings for each connection, such as `search_path` and `options`. */
  settings: Record<string, string>
  /** True if the host that accepts writes must be found before a connection is opened. */
  findsWritable: boolean
}

/**
 * Describes an invalid address, without its values, because they include a password. The text follows the setting's
 * name.
 */
export class AddressError extends Error {}

const DEFAULT_PORT = 5432
const PARTS = /^(postgres(?:ql)?:\/\/)([^/?#]*)((?:[/?#].*)?)$/is
const HOST = /^(?:\[([^\]]+)\]|([^:[\]]*))(?::(\d*))?$/

/** Parameters of libpq that are ignored: the service sets these for both drivers, or needs none. */
const DROPPED = new Set([
  'application_name',
  'fallback_application_name',
  'client_encoding',
  'connect_timeout',
  'gssencmode',
  'tcp_user_timeout',
  'keepalives',
  'keepalives_idle',
  'keepalives_interval',
  'keepalives_count',
  'sslcompression',
  'sslsni',
  'uselibpqcompat'
])

/** These would change which server is used or trusted, and the drivers do not support them. */
const REFUSED: Record<string, string> = {
  hostaddr: 'write the IP address as the host',
  service: 'write the address itself',
  passfile: 'write the password into the address',
  sslcert: 'sign in with a password',
  sslkey: 'sign in with a password',
  sslpassword: 'sign in with a password',
  sslcrl: 'leave it out',
  sslcrldir: 'leave it out',
  sslnegotiation: 'leave it out',
  channel_binding: 'leave it out; sslmode=verify-full checks the server',
  load_balance_hosts: 'leave it out; the host that accepts writes is used',
  require_auth: 'leave it out',
  replication: 'leave it out'
}

/** Reads libpq's URL with one or more hosts (PostgreSQL manual: libpq, Connection URIs). Throws AddressError. */
export function readAddress(text: string): Address {
  const [, scheme, authority = '', rest] = PARTS.exec(text) ?? []
  const at = authority.lastIndexOf('@') + 1
  const bare = `${scheme}${authority.slice(0, at)}host${rest}` // Node's URL can't parse a list of hosts
  if (!URL.canParse(bare) || !scheme) throw new AddressError('must be a postgres:// URL')
  const url = new URL(bare)
  const given = new Map(url.searchParams)
  const take = (name: string) => {
    const value = given.get(name)
    given.delete(name)
    return value || undefined
  }

  const address = {
    hosts: readHosts(take('host') ?? decoded(authority.slice(at)), take('port')),
    user: decoded(url.username) || take('user'),
    password: decoded(url.password) || take('password'),
    database: decoded(url.pathname.slice(1)) || take('dbname'),
    tls: readTls({ ca: take('sslrootcert'), sslmode: take('sslmode'), ssl: take('ssl') })
  }
  const findsWritable = readTarget(take('target_session_attrs')) || address.hosts.length > 1
  return { ...address, findsWritable, settings: readSettings(given) }
}

function readHosts(list: string, ports: string | undefined): HostAddress[] {
  const names = list.split(',')
  const shared = ports?.split(',') ?? []
  if (shared.length > 1 && shared.length !== names.length)
    throw new AddressError('must name one port for all hosts, or one for each')
  return names.map((name, index) => {
    const port = shared.length === 1 ? shared[0] : shared[index]
    return name.startsWith('/') ? { host: name, port: toPort(port) } : readHost(name, port, names.length > 1)
  })
}

function readHost(text: string, port: string | undefined, isListed: boolean): HostAddress {
  const [, six, name, own] = HOST.exec(text) ?? []
  const host = six ?? name
  if (host === undefined || (host === '' && isListed))
    throw new AddressError('must name each host as host:port, with commas between them')
  return { host: host || 'localhost', port: toPort(own || port) }
}

function toPort(text: string | undefined): number {
  const port = Number(text || DEFAULT_PORT)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new AddressError('must name ports from 1 to 65535')
  return port
}

/** True: only a server that accepts writes. */
function readTarget(target: string | undefined): boolean {
  if (target === undefined || target === 'any') return false
  if (target === 'read-write' || target === 'primary') return true
  throw new AddressError('must ask for a server that accepts writes: use target_session_attrs=read-write')
}

/** libpq's `sslmode` and `sslrootcert`. Other programs write `ssl` for the first one. */
function readTls({ ca, sslmode, ssl }: { ca?: string, sslmode?: string, ssl?: string }): Tls {
  const trust = ca && ca !== 'system' ? { ca: readCertificate(ca) } : {}
  const mode = sslmode ?? ssl ?? (ca ? 'verify-full' : 'disable')
  switch (mode) {
    case 'disable': case 'false': case '0': return false
    case 'prefer': case 'allow': return 'prefer'
    case 'no-verify': return { rejectUnauthorized: false }
    case 'require': return ca ? { ...trust, checkServerIdentity: () => undefined } : { rejectUnauthorized: false }
    case 'verify-ca': return { ...trust, checkServerIdentity: () => undefined }
    case 'verify-full': case 'true': case '1': return trust
    default: throw new AddressError('must have the sslmode disable, allow, prefer, require, verify-ca or verify-full')
  }
}

function readCertificate(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch {
    throw new AddressError('names a file in sslrootcert that cannot be read')
  }
}

function readSettings(given: Map<string, string>): Record<string, string> {
  for (const name of given.keys()) {
    const advice = REFUSED[name]
    if (advice) throw new AddressError(`has "${name}", which is not supported: ${advice}`)
  }
  return Object.fromEntries([...given].filter(([name]) => !DROPPED.has(name)))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new AddressError('must have %25 in place of each % that does not begin a code')
  }
}
