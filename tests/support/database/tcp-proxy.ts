import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net'

type Fate = 'forward' | 'refuse' | 'hang'
interface Pair { near: Socket, far: Socket, isFrozen: boolean }

export interface TcpProxy {
  port: number
  /** What happens to new connections. `hang` accepts them and then forwards nothing. */
  newcomers (fate: Fate): void
  /** The target of new connections. */
  leadTo (target: NetConnectOpts): void
  /** Ends all open connections. */
  disconnect (): void
  /** Stops forwarding on open connections, in both directions, until `thaw`. */
  freeze (): void
  /** Forwards the data that waited, like packets that are sent again. */
  thaw (): void
  close (): Promise<void>
}

/** A network between a product and its database that can fail in every way in which networks do. */
export async function aTcpProxy(first: NetConnectOpts): Promise<TcpProxy> {
  const pairs = new Set<Pair>()
  let fate: Fate = 'forward'
  let target = first

  const server = createServer((near) => {
    near.on('error', () => {})
    if (fate === 'refuse') return near.resetAndDestroy()
    const far = connect(target)
    far.on('error', () => {})
    const pair = { near, far, isFrozen: false }
    pairs.add(pair)
    for (const [from, to] of [[near, far], [far, near]] as const) {
      from.pipe(to)
      from.on('close', () => {
        to.destroy()
        pairs.delete(pair)
      })
    }
    if (fate === 'hang') freeze(pair)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const all = () => [...pairs].flatMap(({ near, far }) => [near, far])
  function disconnect() {
    for (const socket of all()) socket.destroy()
  }

  return {
    port: (server.address() as AddressInfo).port,
    newcomers(next) {
      fate = next
    },
    leadTo(next) {
      target = next
    },
    disconnect,
    freeze() {
      for (const pair of pairs) freeze(pair)
    },
    thaw() {
      for (const pair of pairs) thaw(pair)
    },
    async close() {
      disconnect()
      server.close()
      await once(server, 'close')
    }
  }
}

function freeze(pair: Pair) {
  const { near, far } = pair
  pair.isFrozen = true
  near.unpipe(far).pause()
  far.unpipe(near).pause()
}

function thaw(pair: Pair) {
  const { near, far } = pair
  if (pair.isFrozen) near.pipe(far).pipe(near)
  pair.isFrozen = false
}
