import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface GatewayCall { method: string, path: string, headers: IncomingHttpHeaders, body: string }

/** Any gateway on loopback: keeps what it gets, and answers with the next of `answers`, or that it took the message. */
export async function aGateway() {
  const calls: GatewayCall[] = []
  const state = { answers: [] as (number | 'hang')[] }
  const server = createServer(async (request, response) => {
    calls.push({ method: request.method!, path: request.url!, headers: request.headers, body: await text(request) })
    const answer = state.answers.shift() ?? 200
    if (answer === 'hang') return
    response.writeHead(answer, { 'content-type': 'application/json' })
      .end(JSON.stringify({ messages: [{ id: `gw-${calls.length}` }] }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    state,
    close: () => new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  }
}
export type Gateway = Awaited<ReturnType<typeof aGateway>>
