import { setTimeout as sleep } from 'node:timers/promises'

export interface Inspector {
  /** One method of the DevTools protocol (V8's part). */
  call (method: string, params?: object): Promise<any>
  close (): void
}

/**
 * Talks to a process that was started with `--inspect=127.0.0.1:<port>`, so that its memory can be examined without an
 * endpoint in the product.
 */
export async function inspect(port: number): Promise<Inspector> {
  const targets = await untilThere(`http://127.0.0.1:${port}/json`)
  const socket = new WebSocket(targets[0]!.webSocketDebuggerUrl)
  const waiting = new Map<number, (answer: any) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data))
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  await new Promise(resolve => socket.addEventListener('open', resolve))

  let last = 0
  return {
    call: (method, params = {}) => new Promise((resolve) => {
      waiting.set(++last, resolve)
      socket.send(JSON.stringify({ id: last, method, params }))
    }),
    close: () => socket.close()
  }
}

async function untilThere(url: string): Promise<{ webSocketDebuggerUrl: string }[]> {
  for (let tries = 0; ; tries++) {
    const answer = await fetch(url).then(response => response.json(), () => null)
    if (answer) return answer as { webSocketDebuggerUrl: string }[]
    if (tries > 1000) throw new Error(`${url} does not answer`)
    await sleep(10)
  }
}
