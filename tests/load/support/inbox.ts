import { aReceiver, verified, type Received } from '../../support/outside/receiver.ts'
import type { Chance } from './chance.ts'

/**
 * The deliveries that a clinic's other system accepted, by the path of its webhook: `webhook-id` → the number of 204
 * responses.
 */
export interface Inbox {
  url: string
  taken: Map<string, Map<string, number>>
  wrong: string[]
  /** From now on each request to the path is verified with the webhook's secret. */
  expect (path: string, secret: string): void
  /** While true, it occasionally fails, interrupts its response or never answers. While false, it always answers. */
  isMoody: boolean
  close (): Promise<void>
}

export async function anInbox(chance: Chance): Promise<Inbox> {
  const receiver = await aReceiver()
  const inbox: Inbox = {
    url: receiver.url,
    taken: new Map(),
    wrong: [],
    expect,
    isMoody: false,
    close: () => receiver.close()
  }

  function expect(path: string, secret: string) {
    inbox.taken.set(path, new Map())
    receiver.answer(path, (response) => {
      const request = receiver.received.pop()! // the request that is answered here, so that no requests accumulate
      check(secret, request)
      const mood = inbox.isMoody ? chance.below(100) : 100
      if (mood < 8) return // no response
      if (mood < 16) return void response.destroy()
      if (mood < 24) return void response.writeHead(chance.of([400, 429, 500, 503])).end('not now')
      const ids = inbox.taken.get(path)!
      const id = String(request.headers['webhook-id'])
      ids.set(id, (ids.get(id) ?? 0) + 1)
      response.writeHead(204).end()
    })
  }

  function check(secret: string, request: Received) {
    try {
      verified(secret, request)
    } catch (error) {
      inbox.wrong.push(`${request.path}: ${(error as Error).message}`)
    }
  }
  return inbox
}
