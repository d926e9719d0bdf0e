import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Proxy { url: string, close (): Promise<void> }

/**
 * In place of the answer to a request that was on its way on a kept connection when the instance closed it: HTTP/1.1 cannot
 * rule that out (RFC 9112, 9.6), and a proxy that repeats a GET then hides it.
 */
export const LOST_ON_ITS_WAY = /^(ECONNRESET|EPIPE) \d+ reused=true$/

/**
 * What stands in front of instances: takes them in turn, keeps connections to them, sticks to none and retries nothing. Like
 * a load balancer it leaves out an instance whose `/readyz` is not 200, as it learns by asking.
 */
export async function aProxy(instances: string[], { askEvery_ms = 200 } = {}): Promise<Proxy> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64, scheduling: 'fifo' })
  const ready = new Set(instances)
  let turn = 0

  async function ask(instance: string) {
    const isReady = await fetch(`${instance}/readyz`, { headers: { connection: 'close' } }).then(response => response.ok, () => false)
    if (isReady) ready.add(instance)
    else ready.delete(instance)
  }
  const asking = instances.length > 1 ? setInterval(() => instances.forEach(instance => void ask(instance)), askEvery_ms) : undefined

  const server = createServer((incoming, outgoing) => {
    const able = [...ready]
    const target = new URL((able.length > 0 ? able : instances)[turn++ % Math.max(1, able.length)]!)
    const { connection: _, ...headers } = incoming.headers
    const onward = request({ agent, hostname: target.hostname, port: target.port, method: incoming.method, path: incoming.url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
      answer.on('error', () => outgoing.destroy())
    })
    onward.on('error', (error: NodeJS.ErrnoException) => {
      if (outgoing.headersSent) return outgoing.destroy()
      outgoing.writeHead(502, { 'content-type': 'text/plain' }).end(`${error.code} ${target.port} reused=${onward.reusedSocket}`)
    })
    incoming.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      clearInterval(asking)
      agent.destroy()
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    }
  }
}
