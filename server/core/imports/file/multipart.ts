import { once } from 'node:events'
import { addAbortSignal, type Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { problem } from '@svc/kit'
import { parseJson } from '../../http/body.ts'
import { invalid } from '../../http/validate.ts'
import { OPTION_NAMES } from './options.ts'
import { storeUpload, type UploadedFile } from './uploaded-file.ts'

export interface Upload {
  file_name: string
  /** The caller closes it. */
  file: UploadedFile
  /** The parsed JSON; undefined if it wasn't sent. */
  mapping: unknown
  /** The texts of the options that were sent. */
  options: Record<string, string>
}

type Pieces = AsyncIterable<Uint8Array> | Uint8Array[]

interface Place {
  /** The instance's folder. */
  storage: string
  /** The largest file, in bytes. */
  limit: number
}

/**
 * Reads a `multipart/form-data` body with `file` and, optionally, `mapping` and options. Throws `bad_request` for a
 * body that isn't multipart, `validation_failed`, and `payload_too_large` for a file of more than `limit` bytes.
 */
export async function readUpload(body: Pieces, content_type: string | undefined, place: Place): Promise<Upload> {
  const parts = await readParts(body, content_type, place)
  const found = parts.find(part => 'file' in part)
  try {
    const isTwice = parts.filter(({ name }) => name === 'file').length > 1
    if (isTwice) throw invalid([{ pointer: '/file', message: 'Only one file at a time.' }])
    const unknown = parts.find(({ name }) => !KNOWN.includes(name))
    if (unknown) throw invalid([{ pointer: `/${unknown.name}`, message: 'Unknown field.' }])
    if (!found) throw invalid([{ pointer: '/file', message: 'Required.' }])
    const texts = parts.filter(part => 'text' in part)
    const mapping = texts.find(({ name }) => name === 'mapping')
    const options = texts.filter(({ name }) => OPTION_NAMES.includes(name))
    return {
      file_name: toFileName(found.file_name ?? ''),
      file: found.file,
      mapping: mapping && parseJson(mapping.text, ['mapping']),
      options: Object.fromEntries(options.map(({ name, text }) => [name, text]))
    }
  } catch (error) {
    await found?.file.close()
    throw error
  }
}

const KNOWN = ['file', 'mapping', ...OPTION_NAMES]

interface Text { name: string, text: string }
interface File { name: string, file_name: string | undefined, file: UploadedFile }
type Part = Text | File

/**
 * Reads every part as a file, because programs send `mapping` either as a field or as a file. The first error ends all
 * parts: without that, each of them would wait for the rest of its bytes.
 */
async function readParts(body: Pieces, content_type: string | undefined, place: Place): Promise<Part[]> {
  const reading: Promise<Part>[] = []
  const over = new AbortController()
  const fail = (error: unknown) => over.abort(error)
  let hasFile = false
  try {
    const parser = createParser(content_type)
    parser.on('error', error => fail(notMultipart(error as Error)))
    parser.on('file', (name, stream, file_name) => {
      // The reader gets the error too, and the parser's own error comes before it.
      addAbortSignal(over.signal, stream).on('error', () => {})
      const part = name === 'file' && !hasFile ? readFile(stream, { name, file_name }, place) : readText(stream, name)
      hasFile ||= name === 'file'
      part.catch(fail)
      reading.push(part)
    })
    const feeding = feed(parser, body, over.signal)
    feeding.catch(fail)
    // The answer to an error does not wait for the rest of the body.
    await Promise.race([feeding, once(over.signal, 'abort')])
    over.signal.throwIfAborted()
    return await Promise.all(reading)
  } catch (error) {
    fail(error)
    for (const part of await Promise.allSettled(reading))
      if (part.status === 'fulfilled' && 'file' in part.value) await part.value.file.close()
    throw over.signal.reason
  }
}

const readFile = async (stream: Readable, about: Omit<File, 'file'>, { storage, limit }: Place): Promise<File> =>
  ({ ...about, file: await storeUpload(storage, stream, limit) })

const MAX_TEXT_BYTES = 1_000_000

async function readText(stream: Readable, name: string): Promise<Text> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of stream as AsyncIterable<Uint8Array>) {
    size += piece.length
    if (size > MAX_TEXT_BYTES) throw problem('payload_too_large', { detail: `The field ${name} is larger than 1 MB.` })
    pieces.push(piece)
  }
  return { name, text: Buffer.concat(pieces).toString('utf8') }
}

function createParser(content_type = ''): BusboyInstance {
  try {
    const limits = { files: 12, headerPairs: 20 }
    return new Busboy({ headers: { 'content-type': content_type }, isPartAFile: () => true, limits })
  } catch (error) {
    throw notMultipart(error as Error)
  }
}

/** Without `pipeline`, which takes the parser for broken when a part ends it early. */
async function feed(parser: BusboyInstance, body: Pieces, signal: AbortSignal): Promise<void> {
  const finished = once(parser, 'finish', { signal })
  finished.catch(() => {})
  for await (const piece of body) {
    signal.throwIfAborted()
    if (!parser.write(piece)) await once(parser, 'drain', { signal })
  }
  parser.end()
  await finished
}

const notMultipart = ({ message }: Error) => problem('bad_request', { detail: `Not a multipart body: ${message}.` })

const toFileName = (name: string) => name.replace(/[\p{C}\u2028\u2029]/gu, '').slice(-200) || 'file.csv'
