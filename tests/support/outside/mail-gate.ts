import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface MailGate {
  /** For `SVC_SMTP_URL`. */
  url: string
  /**
   * Like a mail server that is being stopped: it accepts no connections any more, and a session ends after its message
   * was accepted.
   */
  shut (): void
  open (): void
  close (): Promise<void>
}

/** A line of DATA that holds a dot only (RFC 5321 4.1.1.4). */
const END_OF_LETTER = '\r\n.\r\n'

/** A proxy to a mail server that can be unreachable for a while, with a fixed address. */
export async function aMailGate(target: string): Promise<MailGate> {
  const { port } = new URL(target)
  const sockets = new Set<Socket>()
  const betweenLetters = new Set<Socket>()
  let isShut = false
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket
      .on('close', () => [sockets, betweenLetters].forEach(set => set.delete(socket)))
      .on('error', () => socket.destroy())
  }
  const server = createServer((caller) => {
    keep(caller)
    if (isShut) return caller.destroy()
    const callee = connect(Number(port), '127.0.0.1')
    keep(callee)
    caller.pipe(callee).pipe(caller)

    let said = ''
    caller.on('data', (bytes) => {
      said = (said + bytes.toString('latin1')).slice(-END_OF_LETTER.length)
      betweenLetters.delete(caller)
    })
    callee.on('data', () => {
      if (said !== END_OF_LETTER) return
      betweenLetters.add(caller)
      if (isShut) caller.end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    shut() {
      isShut = true
      for (const caller of betweenLetters) caller.end()
    },
    open: () => { isShut = false },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    }
  }
}
