import { once } from 'node:events'
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Proxy {
  url: string
  /** How many reads it has repeated. */
  repeated (): number
  close (): Promise<void>
}

/**
 * A reverse proxy in front of instances: round robin, with persistent connections and without stickiness. Like proxies
 * do by default, it repeats only a read whose persistent connection was closed by the instance meanwhile, which
 * HTTP/1.1 cannot prevent (RFC 9112, 9.6). Like a load balancer it probes `/readyz` and leaves out an instance that
 * does not answer 200.
 */
export async function aProxy(instances: string[], { askEvery_ms = 200 } = {}): Promise<Proxy> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64, scheduling: 'fifo' })
  const ready = new Set(instances)
  let turn = 0
  let repeated = 0

  async function ask(instance: string) {
    const isReady = await fetch(`${instance}/readyz`, { headers: { connection: 'close' } }).then(
      response => response.ok,
      () => false
    )
    if (isReady) ready.add(instance)
    else ready.delete(instance)
  }
  const askAll = () => instances.forEach(instance => void ask(instance))
  const asking = instances.length > 1 ? setInterval(askAll, askEvery_ms) : undefined

  const server = createServer((incoming, outgoing) => passOn(incoming, outgoing))
  function passOn(incoming: IncomingMessage, outgoing: ServerResponse) {
    const able = [...ready]
    const target = new URL((able.length > 0 ? able : instances)[turn++ % Math.max(1, able.length)]!)
    const { connection: _, ...headers } = incoming.headers
    const onward = request(
      { agent, hostname: target.hostname, port: target.port, method: incoming.method, path: incoming.url, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(outgoing)
        answer.on('error', () => outgoing.destroy())
      }
    )
    onward.on('error', (error: NodeJS.ErrnoException) => {
      if (outgoing.headersSent) return outgoing.destroy()
      if (onward.reusedSocket && incoming.method === 'GET' && ['ECONNRESET', 'EPIPE'].includes(error.code!)) {
        repeated += 1
        return passOn(incoming, outgoing)
      }
      outgoing
        .writeHead(502, { 'content-type': 'text/plain' })
        .end(`${error.code} ${target.port} reused=${onward.reusedSocket}`)
    })
    incoming.pipe(onward)
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    repeated: () => repeated,
    async close() {
      clearInterval(asking)
      agent.destroy()
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    }
  }
}
