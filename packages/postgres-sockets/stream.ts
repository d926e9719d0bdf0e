import { once } from 'node:events'
import { connect, isIP, type NetConnectOpts, type Socket } from 'node:net'
import { duplexPair, type Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { connect as connectTls, type ConnectionOptions } from 'node:tls'
import { connectionEnded, type OpenSockets } from './open-sockets.ts'

/** A name or an IP address, or the folder of a unix socket. */
export interface HostAddress { host: string, port: number }

/**
 * `false` never uses TLS. `prefer` uses it if the server offers it, without checking the certificate. Options always
 * use it.
 */
export type Tls = false | 'prefer' | ConnectionOptions

/** How a connection is opened: to the configured host, or to the host that `find` returns at that moment. */
export interface Route { hosts: HostAddress[], tls: Tls, find: (() => Promise<HostAddress>) | null }

const KEEP_ALIVE_MS = 60_000
/** The protocol's SSLRequest and its answer (PostgreSQL: protocol, message flow). */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
const YES = 'S'.charCodeAt(0)

/** For postgres.js, which may write to it at once. */
export function openStream(route: Route, sockets: OpenSockets): Duplex {
  return isPlain(route, sockets) ? sockets.add(connect(toOptions(route.hosts[0]!))) : bridge(() => open(route, sockets))
}

/**
 * While sockets are being destroyed, a plain socket would still connect before it ends. Many statements fail at once
 * then, and their connections would fill the server's backlog and block even the heartbeat or a standby.
 */
const isPlain = ({ hosts, tls, find }: Route, sockets: OpenSockets) =>
  find === null && (tls === false || hosts[0]!.host.startsWith('/')) && !sockets.isDestroyed()

const toOptions = ({ host, port }: HostAddress): NetConnectOpts =>
  host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }

async function open({ hosts, tls, find }: Route, sockets: OpenSockets): Promise<Duplex> {
  if (sockets.isDestroyed()) throw connectionEnded() // without contacting a host
  const host = find ? await find() : hosts[0]!
  const raw = sockets.add(connect(toOptions(host)))
  try {
    await onceOf(raw, 'connect')
    raw.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS)
    return tls === false || host.host.startsWith('/') ? raw : await encrypt(raw, host.host, tls)
  } catch (error) {
    raw.destroy()
    throw error
  }
}

/** Writes wait until `open` is done. */
function bridge(open: () => Promise<Duplex>): Duplex {
  const [near, far] = duplexPair()
  open()
    .then(opened => pipeline(far, opened, far))
    .then(() => near.destroy(), (error: Error) => near.destroy(error))
  const state = { get: () => near.destroyed ? 'closed' : 'open' }
  return Object.defineProperty(near, 'readyState', state)
}

async function encrypt(raw: Socket, host: string, tls: Exclude<Tls, false>): Promise<Duplex> {
  raw.write(SSL_REQUEST)
  const [answer] = await onceOf(raw, 'data') as [Buffer]
  raw.pause()
  // More than one byte could only come from a man in the middle (CVE-2021-23222).
  if (answer.length !== 1) throw new Error('the database answered more than expected before TLS')
  if (answer[0] !== YES && tls === 'prefer') return raw
  if (answer[0] !== YES) throw new Error('the database does not speak TLS, which DATABASE_URL asks for')
  const options = tls === 'prefer' ? { rejectUnauthorized: false } : tls
  const secure = connectTls({ socket: raw, servername: isIP(host) ? undefined : host, host, ...options })
  await onceOf(secure, 'secureConnect')
  return secure
}

/**
 * Throws when the socket closes before the event: a peer that just closes causes no error, and `once` would wait
 * forever.
 */
async function onceOf(socket: Socket, event: string): Promise<unknown[]> {
  if (socket.destroyed) throw connectionEnded()
  const settled = new AbortController()
  const { signal } = settled
  const closed = once(socket, 'close', { signal }).then(() => { throw connectionEnded() })
  try {
    return await Promise.race([once(socket, event, { signal }), closed])
  } finally {
    settled.abort()
  }
}
