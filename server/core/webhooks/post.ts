import { request as requestPlain, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as requestSecure } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Address } from './address.ts'
import { writeFailure } from './failure.ts'

const TIME_LIMIT_MS = 15_000
/** Bytes of the answer that are read at all. */
const LARGEST_ANSWER = 2000
const SNIPPET = 500

export interface Outcome {
  /** Null when there was no answer. */
  status: number | null
  /** The beginning of the answer's text. */
  body: string | null
  /** As of `writeFailure`. Null when the receiver took it (2xx). */
  error: string | null
}

interface Post { url: string, addresses: Address[], headers: Record<string, string>, body: string, signal: AbortSignal }

/**
 * One request to addresses that were checked. Follows nothing, reads little, ends in time; never throws for what the
 * receiver does.
 */
export async function post({ url, addresses, headers, body, signal }: Post): Promise<Outcome> {
  const timeout = AbortSignal.timeout(TIME_LIMIT_MS)
  const request = new URL(url).protocol === 'https:' ? requestSecure : requestPlain
  const options: RequestOptions = {
    method: 'POST',
    agent: false, // a connection of its own: one that is kept open could have been made to an address of before
    lookup: fixed(addresses),
    headers: { ...headers, 'content-length': Buffer.byteLength(body), 'connection': 'close' },
    signal: AbortSignal.any([timeout, signal])
  }
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(url, options, resolve)
        .on('error', reject)
        // What has no response and no error either, as 101.
        .on('close', () => reject(new Error('the connection was closed')))
        .end(body)
    })
    return classifyResponse(response.statusCode!, await beginningOf(response))
  } catch (error) {
    signal.throwIfAborted() // we are stopping: that is not the receiver's failure
    return {
      status: null,
      body: null,
      error: timeout.aborted ? writeFailure({ code: 'silent', value: String(TIME_LIMIT_MS / 1000) }) : explain(error)
    }
  }
}

/** Host and TLS name stay the URL's; only where they lead is decided already. */
const fixed = (addresses: Address[]): LookupFunction => (_name, options, done) => {
  if (options.all) done(null, addresses)
  else done(null, addresses[0]!.address, addresses[0]!.family)
}

/** What came of it when the receiver breaks off or goes on for too long: the status has said what counts. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const read: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      read.push(chunk)
      bytes += chunk.length
      if (bytes >= LARGEST_ANSWER) break
    }
  } catch {
    // The answer's status counts.
  }
  response.destroy()
  return storable(Buffer.concat(read).toString())
}

/** PostgreSQL's text takes no NUL, and half a surrogate pair is not a character. */
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
