import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export interface Letter { to: string, subject: string, id: string, text: string, html: string, raw: string }

export interface Mailbox {
  /** For `SVC_SMTP_URL`. */
  url: string
  letters: Letter[]
  /** Messages whose plain part contains a text. */
  with (text: string): Letter[]
  /** The server's answer to a recipient, such as 550 or 451; undefined accepts the message. */
  answer: (address: string) => number | undefined
  close (): Promise<void>
}

/** A real mail server on loopback that stores its messages. */
export async function aMailbox(): Promise<Mailbox> {
  const letters: Letter[] = []
  const mailbox: Mailbox = {
    url: '',
    letters,
    with: text => letters.filter(letter => letter.text.includes(text)),
    answer: () => undefined,
    close: () => new Promise(resolve => server.close(() => resolve()))
  }
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    closeTimeout: 100, // the product keeps its connection open, and the server would wait half a minute for its end
    onRcptTo({ address }, _session, done) {
      const code = mailbox.answer(address)
      done(
        code === undefined ? null : Object.assign(new Error('mail.internal.example says no'), { responseCode: code })
      )
    },
    onData(stream, { envelope }, done) {
      buffer(stream).then((bytes) => {
        letters.push(readLetter(envelope.rcptTo.map(({ address }) => address).join(', '), bytes.toString()))
        done()
      }, done)
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  mailbox.url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  return mailbox
}

/** As a mail program shows it. Supports only what our own messages use. */
export function readLetter(to: string, raw: string): Letter {
  const { headers, body } = split(raw)
  const boundary = /boundary="?([^";]+)/.exec(headers.get('content-type') ?? '')?.[1]
  const parts = boundary
    ? body
        .split(`--${boundary}`)
        .slice(1, -1)
        .map(part => split(part.replace(/^\r\n/, '')))
    : [{ headers, body }]
  const part = (type: string) => {
    const found = parts.find(({ headers: own }) => own.get('content-type')?.startsWith(type))
    return found ? decode(found.body, found.headers.get('content-transfer-encoding')) : ''
  }
  return {
    to,
    subject: decodeWords(headers.get('subject') ?? ''),
    id: headers.get('message-id') ?? '',
    text: part('text/plain'),
    html: part('text/html'),
    raw
  }
}

function split(part: string): { headers: Map<string, string>, body: string } {
  const end = part.indexOf('\r\n\r\n')
  const lines = part.slice(0, end).replace(/\r\n[ \t]/g, ' ').split('\r\n')
  const headers = new Map(lines.map((line) => {
    const [name, ...value] = line.split(':')
    return [name!.toLowerCase(), value.join(':').trim()]
  }))
  return { headers, body: part.slice(end + 4) }
}

function decode(body: string, encoding = '7bit'): string {
  const bytes
    = encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : encoding === 'quoted-printable'
        ? unquote(body.replaceAll('=\r\n', ''))
        : Buffer.from(body)
  return bytes.toString().replaceAll('\r\n', '\n')
}

const unquote = (text: string) =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1'
  )

/** RFC 2047; white space between two encoded words is ignored. */
const decodeWords = (text: string) =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([QB])\?(.*?)\?=/gi, (_, how: string, word: string) =>
      (how.toUpperCase() === 'B' ? Buffer.from(word, 'base64') : unquote(word.replaceAll('_', ' '))).toString('latin1')
    )
    .replace(/[\x80-\xFF]+/g, run => Buffer.from(run, 'latin1').toString())
