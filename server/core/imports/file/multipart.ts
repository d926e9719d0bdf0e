import { Busboy } from '@fastify/busboy'
import { problem } from '@svc/kit'
import { parseJson } from '../../http/body.ts'
import { invalid } from '../../http/validate.ts'
import { OPTION_NAMES } from './options.ts'

interface Part { name: string, file_name: string | null, bytes: Buffer }

export interface Upload {
  file_name: string
  bytes: Uint8Array
  /** The parsed JSON; undefined if it wasn't sent. */
  mapping: unknown
  /** The texts of the options that were sent. */
  options: Record<string, string>
}

/**
 * Reads a `multipart/form-data` body with `file` and, optionally, `mapping` and options. Throws `bad_request` for a
 * body that isn't multipart, `validation_failed`, and `payload_too_large` for a file of more than `limit` bytes.
 */
export async function readUpload(body: Uint8Array, content_type: string | undefined, limit: number): Promise<Upload> {
  const parts = await readParts(body, content_type, limit + 1)
  const unknown = parts.find(({ name }) => name !== 'file' && name !== 'mapping' && !OPTION_NAMES.includes(name))
  if (unknown) throw invalid([{ pointer: `/${unknown.name}`, message: 'Unknown field.' }])
  const [file, mapping] = ['file', 'mapping'].map(name => parts.find(part => part.name === name))
  if (!file) throw invalid([{ pointer: '/file', message: 'Required.' }])
  if (file.bytes.length > limit) throw problem('payload_too_large', { detail: 'The file is larger than 20 MB.' })
  const options = parts.filter(({ name }) => OPTION_NAMES.includes(name))
  return {
    file_name: toFileName(file.file_name ?? ''),
    bytes: file.bytes,
    mapping: mapping && toJson(mapping.bytes),
    options: Object.fromEntries(options.map(({ name, bytes }) => [name, bytes.toString('utf8')]))
  }
}

/** Reads every part as a file, because programs send `mapping` either as a field or as a file. */
function readParts(body: Uint8Array, content_type: string | undefined, most_bytes: number): Promise<Part[]> {
  return new Promise((resolve, reject) => {
    const parts: Part[] = []
    const fail = (error: Error) => reject(problem('bad_request', { detail: `Not a multipart body: ${error.message}.` }))
    const limits = { fileSize: most_bytes, files: 12, headerPairs: 20 }
    try {
      const parser = new Busboy({ headers: { 'content-type': content_type ?? '' }, isPartAFile: () => true, limits })
      parser.on('file', (name, stream, file_name) => {
        const pieces: Buffer[] = []
        stream.on('data', piece => pieces.push(piece))
        stream.on('error', fail)
        stream.on('end', () => parts.push({ name, file_name: file_name ?? null, bytes: Buffer.concat(pieces) }))
      })
      parser.on('error', error => fail(error as Error))
      parser.on('finish', () => resolve(parts))
      parser.end(body)
    } catch (error) {
      fail(error as Error)
    }
  })
}

const toFileName = (name: string) => name.replace(/[\p{C}\u2028\u2029]/gu, '').slice(-200) || 'file.csv'

const toJson = (bytes: Uint8Array) => parseJson(Buffer.from(bytes).toString('utf8'), ['mapping'])
