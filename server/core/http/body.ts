import type { IncomingMessage } from 'node:http'
import { isProblem, problem } from '@svc/kit'
import { findProto, findUnstorable, mayBeUnstorable, mayHaveProto } from './storable.ts'
import { invalid, toPointer } from './validate.ts'

/** Some callers in this process (a page's server-side render) pass the whole body as a value instead of a stream. */
type Incoming = IncomingMessage & { body?: unknown }

const hasBody = (req: Incoming) =>
  req.body !== undefined || 'transfer-encoding' in req.headers || Number(req.headers['content-length'] ?? 0) > 0

/** Reads at most `limit` bytes. Throws `payload_too_large` beyond that, at once if the announced length is larger. */
export async function readBytes(req: Incoming, limit: number): Promise<Buffer> {
  if (!hasBody(req)) return Buffer.alloc(0)
  assertTakable(req, limit)
  if (req.body === undefined) return await collect(req, limit)
  const bytes = toBytes(req.body)
  if (bytes.length > limit) throw tooLarge(limit)
  return bytes
}

/**
 * The same in pieces as they arrive, for a body that is too large for the memory. Throws while it is read, except for
 * what the headers show.
 */
export function streamBytes(req: Incoming, limit: number): AsyncIterable<Uint8Array> {
  if (hasBody(req)) assertTakable(req, limit)
  return piecesOf(req, limit)
}

function assertTakable({ headers }: Incoming, limit: number): void {
  const encoding = headers['content-encoding']
  if (encoding && encoding !== 'identity')
    throw problem('unsupported_media_type', { detail: 'Send the body without a content encoding.' })
  if (Number(headers['content-length'] ?? 0) > limit) throw tooLarge(limit)
}

async function* piecesOf(req: Incoming, limit: number): AsyncGenerator<Uint8Array> {
  // `Idempotency-Key` needs the whole body, and has read it.
  if (!hasBody(req) || req.body !== undefined) return yield await readBytes(req, limit)
  let size = 0
  try {
    // If this loop ends early, the socket stays open, so that the sender can read the answer.
    for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > limit) throw tooLarge(limit)
      yield chunk
    }
  } catch (error) {
    throw isProblem(error) ? error : endedEarly()
  } finally {
    req.resume()
  }
}

function toBytes(body: unknown): Buffer {
  if (typeof body === 'string' || body instanceof Uint8Array) return Buffer.from(body as Uint8Array)
  return body === null ? Buffer.alloc(0) : Buffer.from(JSON.stringify(body))
}

// Not `for await`: leaving that loop early destroys the socket, and the caller would never read the 413.
function collect(req: Incoming, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0

    function onData(chunk: Buffer) {
      size += chunk.length
      if (size <= limit) return void chunks.push(chunk)
      settle()
      req.resume()
      reject(tooLarge(limit))
    }
    function onEnd() {
      settle()
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size))
    }
    function onBroken() {
      settle()
      reject(endedEarly())
    }
    function settle() {
      req.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken)
    }
    req.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken)
  })
}

const endedEarly = () => problem('bad_request', { detail: 'The body ended too early.' })
const tooLarge = (limit: number) =>
  problem('payload_too_large', { detail: `The body is larger than the ${limit} bytes that this address accepts.` })

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;\s*charset=["']?utf-8["']?\s*)?$/i
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The parsed body, or `{}` if none was sent, so that a body whose members are all optional can be omitted. */
export async function readJson(req: Incoming, limit: number): Promise<unknown> {
  const bytes = await readBytes(req, limit)
  if (bytes.length === 0) return {}
  if (!JSON_TYPE.test(req.headers['content-type'] ?? '')) throw problem('unsupported_media_type')
  return parseJson(decode(bytes))
}

/**
 * Parses JSON from a caller. Refuses what no record can store: texts that the database rejects, and a member
 * `__proto__`.
 */
export function parseJson(text: string, at: string[] = []): unknown {
  const value = parse(text, at)
  const unstorable = mayBeUnstorable(text) ? findUnstorable(value) : null
  if (unstorable)
    throw invalid([
      {
        pointer: toPointer([...at, ...unstorable]),
        message: 'Must not contain U+0000 or half of a surrogate pair: they cannot be stored.'
      }
    ])
  const proto = mayHaveProto(text) ? findProto(value) : null
  if (proto) throw invalid([{ pointer: toPointer([...at, ...proto]), message: 'Unknown field.' }])
  return value
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw notJson('The body is not valid UTF-8.')
  }
}

function parse(text: string, at: string[]): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw notJson(at.length > 0 ? undefined : 'The body is not valid JSON.', at)
  }
}

const notJson = (detail: string | undefined, at: string[] = []) =>
  problem('validation_failed', {
    ...(detail ? { detail } : {}),
    errors: [{ pointer: toPointer(at), message: 'Not valid JSON.' }]
  })
