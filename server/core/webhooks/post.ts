import { request as requestPlain, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as requestSecure } from 'node:https'
import type { Address } from './address.ts'
import { writeFailure } from './failure.ts'
import { pinnedTo } from './pinned.ts'

const TIME_LIMIT_MS = 15_000
/** How many bytes of the answer are read. */
const MAX_ANSWER_BYTES = 2000
const SNIPPET = 500

export interface Outcome {
  /** Null if there was no response. */
  status: number | null
  /** The start of the answer's text. */
  body: string | null
  /** As returned by `writeFailure`. Null if the receiver accepted it (2xx). */
  error: string | null
}

interface Post { url: string, addresses: Address[], headers: Record<string, string>, body: string, signal: AbortSignal }

/**
 * Sends one request to addresses that were checked. It follows no redirects, reads little, has a timeout, and never
 * throws for errors of the receiver.
 */
export async function post({ url, addresses, headers, body, signal }: Post): Promise<Outcome> {
  const timeout = AbortSignal.timeout(TIME_LIMIT_MS)
  const request = new URL(url).protocol === 'https:' ? requestSecure : requestPlain
  const options: RequestOptions = {
    method: 'POST',
    agent: false, // a separate connection, because one that was kept open may be to an earlier address
    lookup: pinnedTo(addresses),
    headers: { ...headers, 'content-length': Buffer.byteLength(body), 'connection': 'close' },
    signal: AbortSignal.any([timeout, signal])
  }
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(url, options, resolve)
        .on('error', reject)
        // For an answer that is neither a response nor an error, such as 101.
        .on('close', () => reject(new Error('the connection was closed')))
        .end(body)
    })
    return classifyResponse(response.statusCode!, await beginningOf(response))
  } catch (error) {
    signal.throwIfAborted() // aborted by our own stop, so it is not the receiver's failure
    return {
      status: null,
      body: null,
      error: timeout.aborted ? writeFailure({ code: 'silent', value: String(TIME_LIMIT_MS / 1000) }) : explain(error)
    }
  }
}

/** Returns what has arrived if the receiver breaks off or continues for too long: the status has already decided. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const read: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      read.push(chunk)
      bytes += chunk.length
      if (bytes >= MAX_ANSWER_BYTES) break
    }
  } catch {
    // The answer's status counts.
  }
  response.destroy()
  return storable(Buffer.concat(read).toString())
}

/** PostgreSQL's text accepts neither NUL nor half of a surrogate pair. */
const storable = (text: string) => text.replaceAll('\0', '').slice(0, SNIPPET).toWellFormed()

function classifyResponse(status: number, body: string): Outcome {
  if (status >= 200 && status < 300) return { status, body, error: null }
  const isRedirect = status >= 300 && status < 400
  return { status, body, error: writeFailure({ code: isRedirect ? 'redirected' : 'answered', value: String(status) }) }
}

function explain(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  const what = [code, message].filter(part => part && !(part === code && message.includes(part))).join(' ')
  return writeFailure({ code: 'no_answer', value: storable(what) || null })
}
