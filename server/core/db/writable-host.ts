import postgres from 'postgres'
import type { Address, HostAddress } from '../database-address.ts'
import { DatabaseError, readOnlyError } from './database-error.ts'
import { toSqlOptions, type SqlOptions } from './driver-options.ts'
import { createOpenSockets, type OpenSockets } from '@svc/postgres-sockets/open-sockets.ts'
import { outliveTransaction } from '@svc/postgres-sockets/socket.ts'
import { openStream } from '@svc/postgres-sockets/stream.ts'

/** The timeout for a host that hangs. The heartbeat waits twice as long for its answer. */
const ANSWER_MS = 2000

/**
 * Finds the host that accepts writes, again for each connection, so that a failover needs no notification. It tries the
 * last known one first, so that a former primary that returns unnoticed does not get half of the connections. Then it
 * tries all others at once, and the first of the list wins. Throws DatabaseError, or the first host's error.
 */
export function createHostFinder(address: Address): () => Promise<HostAddress> {
  let last: HostAddress | null = null
  let search: Promise<HostAddress> | null = null

  async function findAmong(hosts: HostAddress[], failures: unknown[]): Promise<HostAddress | null> {
    const sockets = createOpenSockets()
    const late = setTimeout(() => sockets.destroyAll(), ANSWER_MS)
    const questions = hosts.map(host =>
      askForWrites({ address, host, sockets }).then(
        () => null,
        (error: unknown) => error
      )
    )
    try {
      for (const [index, question] of questions.entries()) {
        const failure = await question
        if (failure === null) return hosts[index]!
        failures.push(failure)
      }
      return null
    } finally {
      clearTimeout(late)
      sockets.destroyAll()
    }
  }

  async function find(): Promise<HostAddress> {
    const failures: unknown[] = []
    const before = last
    last = before && await findAmong([before], failures)
    last ??= await findAmong(address.hosts.filter(host => host !== before), failures)
    if (last) return last
    throw failures.find(error => error instanceof DatabaseError) ?? failures[0]
  }

  return () => search ??= find().finally(() => {
    search = null
  })
}

interface Question { address: Address, host: HostAddress, sockets: OpenSockets }

/** Throws if the host does not answer, or accepts no writes. */
async function askForWrites({ address, host, sockets }: Question): Promise<void> {
  const route = { hosts: [host], tls: address.tls, find: null }
  const options: SqlOptions = {
    ...toSqlOptions({ ...address, hosts: [host] }, 'find'), max: 1,
    socket: () => outliveTransaction(openStream(route, sockets))
  }
  const client = postgres(options)
  try {
    const [row] = await client.unsafe<{ is_read_only: boolean }[]>(
      `select current_setting('transaction_read_only')::bool as is_read_only`
    )
    if (row!.is_read_only) throw readOnlyError()
  } finally {
    await client.end({ timeout: 0 })
  }
}
