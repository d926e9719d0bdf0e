import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface MailGate {
  /** For `SVC_SMTP_URL`. */
  url: string
  /** Nobody gets through any more; conversations under way end by themselves. */
  shut (): void
  open (): void
  close (): Promise<void>
}

/** The way to a mail server that can be gone for a while, at an address that stays. */
export async function aMailGate(target: string): Promise<MailGate> {
  const { port } = new URL(target)
  const sockets = new Set<Socket>()
  let isShut = false
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
  }
  const server = createServer((caller) => {
    keep(caller)
    if (isShut) return caller.destroy()
    const callee = connect(Number(port), '127.0.0.1')
    keep(callee)
    caller.pipe(callee).pipe(caller)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shut: () => { isShut = true },
    open: () => { isShut = false },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    }
  }
}
