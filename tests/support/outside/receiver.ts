import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { eventually } from '../builders.ts'

export interface Received { method: string, path: string, headers: IncomingHttpHeaders, body: string, json: any }

/** A real HTTP server on loopback that records the webhooks that it gets. */
export interface Receiver {
  url: string
  received: Received[]
  /** The answers of this path, in order; the last one repeats. A function may never answer. The default is 204. */
  answer (path: string, ...answers: (number | ((response: ServerResponse) => void))[]): void
  /** Waits until the path has got this many requests, and returns them. */
  at (path: string, count?: number): Promise<Received[]>
  close (): Promise<void>
}

export async function aReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const answers = new Map<string, (number | ((response: ServerResponse) => void))[]>()

  const server = createServer(async (request, response) => {
    const body = await text(request)
    const path = request.url!
    received.push({ method: request.method!, path, headers: request.headers, body, json: JSON.parse(body || 'null') })
    const left = answers.get(path) ?? [204]
    const answer = left.length > 1 ? left.shift()! : left[0]!
    if (typeof answer === 'number') response.writeHead(answer).end(answer === 204 ? undefined : `it says ${answer}`)
    else answer(response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', () => resolve()))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: (path, ...list) => void answers.set(path, list),
    at: (path, count = 1) => eventually(async () => {
      const found = received.filter(request => request.path === path)
      return found.length >= count && found
    }, `request ${count} at ${path}`),
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    }
  }
}

/** Throws unless the signature and its timestamp are valid for a receiver's library. */
export const verified = (secret: string, { body, headers }: Received) =>
  new Webhook(secret).verify(body, headers as Record<string, string>)
