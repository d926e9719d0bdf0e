import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** One raw answer. */
export interface WireAnswer { status: number, headers: Headers, text: string, body: any }

export interface Wire {
  socket: Socket
  send (bytes: string | Uint8Array): void
  /** Everything that was received, once the other side has closed. */
  closed: Promise<string>
  /** What was received so far. */
  soFar (): string
}

/** A client that sends arbitrary bytes. */
export async function openWire(url: string, localAddress?: string): Promise<Wire> {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, localAddress })
  let text = ''
  socket.setEncoding('latin1').on('data', (part: string) => { text += part })
  const closed = new Promise<string>((resolve) => { socket.on('close', () => resolve(text)) })
  await once(socket, 'connect')
  socket.on('error', () => {}) // 'close' follows
  return { socket, send: bytes => socket.write(bytes), closed, soFar: () => text }
}

/** Sends, waits until the other side closes, and returns what was received. */
export async function say(url: string, ...parts: (string | Uint8Array)[]): Promise<WireAnswer[]> {
  const wire = await openWire(url)
  for (const part of parts) wire.send(part)
  return parseAnswers(await wire.closed)
}

/** Answers with a `Content-Length`, in order. */
export function parseAnswers(text: string): WireAnswer[] {
  const answers: WireAnswer[] = []
  let rest = text
  while (rest) {
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) throw new Error(`no whole answer: ${rest}`)
    const [line, ...lines] = rest.slice(0, end).split('\r\n')
    const headers = new Headers(
      lines.map(
        header =>
          [header.slice(0, header.indexOf(':')), header.slice(header.indexOf(':') + 1).trim()] as [string, string]
      )
    )
    const length = Number(headers.get('content-length') ?? 0)
    const content = rest.slice(end + 4, end + 4 + length)
    if (content.length < length) throw new Error(`half an answer: ${rest}`)
    const isJson = /[/+]json/.test(headers.get('content-type') ?? '')
    answers.push({
      status: Number(line!.split(' ')[1]),
      headers,
      text: content,
      body: isJson ? JSON.parse(content) : undefined
    })
    rest = rest.slice(end + 4 + length)
  }
  return answers
}
