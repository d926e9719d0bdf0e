import { request as requestPlain, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as requestSecure } from 'node:https'
import type { OutgoingAnswer } from '@svc/kit'
import type { Address } from '../webhooks/address.ts'
import { pinnedTo } from '../webhooks/pinned.ts'

export class AnswerTooLarge extends Error {
  override name = 'AnswerTooLarge'
}

export interface Sent {
  url: URL
  method: string
  headers: Record<string, string>
  body: string | Uint8Array | undefined
}

interface Rules {
  /** Already checked. */ addresses: Address[]
  max_bytes: number
  signal: AbortSignal
}

/** Makes one request, follows no redirect, and reads the whole answer. Throws AnswerTooLarge and Node's errors. */
export async function send(
  { url, method, headers, body }: Sent,
  { addresses, max_bytes, signal }: Rules
): Promise<OutgoingAnswer> {
  const request = url.protocol === 'https:' ? requestSecure : requestPlain
  const options = {
    method,
    agent: false, // a separate connection, because one that was kept open may be to an earlier address
    lookup: pinnedTo(addresses),
    headers: {
      ...headers,
      ...body === undefined ? {} : { 'content-length': Buffer.byteLength(body) },
      connection: 'close'
    },
    signal
  }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, options, resolve)
      .on('error', reject)
      // For an answer that is neither a response nor an error, such as 101.
      .on('close', () => reject(new Error('the connection was closed')))
      .end(body)
  })
  return { status: response.statusCode!, headers: flat(response.headers), bytes: await readAll(response, max_bytes) }
}

/** Stops at the first byte too many, wherever the answer says that it ends. */
async function readAll(response: IncomingMessage, max_bytes: number): Promise<Uint8Array> {
  const read: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > max_bytes) throw new AnswerTooLarge(`more than ${max_bytes} bytes`) // the loop's end closes the connection
    read.push(chunk)
  }
  return Buffer.concat(read)
}

const flat = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => value === undefined ? [] : [[name, [value].flat().join(', ')]])
  )
