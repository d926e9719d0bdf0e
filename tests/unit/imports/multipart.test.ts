import { buffer } from 'node:stream/consumers'
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { isProblem, problem } from '@svc/kit'
import { afterAll, describe, expect, it } from 'vitest'
import { readUpload } from '../../../server/core/imports/file/multipart.ts'

const LIMIT = 1000
const TYPE = 'multipart/form-data; boundary=XX'
const part = (head: string, body: string) => `--XX\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`
const storage = mkdtempSync(join(tmpdir(), 'svc-upload-'))
afterAll(() => rmSync(storage, { recursive: true, force: true }))

/** Sends the body in pieces of a few bytes, as a network can deliver it. */
async function* inPieces(bytes: Uint8Array) {
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7)
}

async function readBody(bytes: Uint8Array, type: string | undefined) {
  const { file, ...upload } = await readUpload(inPieces(bytes), type, { storage, limit: LIMIT })
  const [once, again] = [await buffer(file.pieces()), await buffer(file.pieces())]
  await file.close()
  expect(again).toEqual(once)
  return { ...upload, bytes: once }
}
const read = (text: string, type: string | undefined = TYPE) => readBody(Buffer.from(text), type)

async function asBrowser(...fields: [string, Blob | string, string?][]) {
  const form = new FormData()
  for (const [name, value, file_name] of fields)
    if (typeof value === 'string') form.set(name, value)
    else form.set(name, value, file_name)
  const response = new Response(form)
  const type = response.headers.get('content-type')!
  return await readBody(new Uint8Array(await response.arrayBuffer()), type)
}

function isUpload(fd: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`).startsWith(storage)
  } catch {
    return false // closed in the meantime
  }
}

describe('an upload', () => {
  it('has the bytes of the file, its name and the mapping, sent as a field or as a file', async () => {
    const file = new Blob([new Uint8Array([0, 13, 10, 45, 45, 255])])
    const mapping = '{"first_name":"Vorname"}'
    for (const sent of [mapping, new Blob([mapping])]) {
      const upload = await asBrowser(['mapping', sent, 'map.json'], ['file', file, 'Pacientes año.csv'])
      expect([...upload.bytes]).toEqual([0, 13, 10, 45, 45, 255])
      expect(upload).toMatchObject({ file_name: 'Pacientes año.csv', mapping: { first_name: 'Vorname' } })
    }
    expect((await asBrowser(['file', file])).mapping).toBeUndefined()
  })

  it('is accepted up to the limit', async () => {
    expect((await asBrowser(['file', new Blob(['x'.repeat(LIMIT)])])).bytes).toHaveLength(LIMIT)
    await expect(asBrowser(['file', new Blob(['x'.repeat(LIMIT + 1)])])).rejects.toMatchObject({ code: 'payload_too_large' })
  })

  it.each([
    ['without a file', part('name="mapping"', '{}'), 'validation_failed'],
    ['with an unknown field', part('name="file"', 'a') + part('name="other"', 'b'), 'validation_failed'],
    ['with a mapping that isn’t JSON', part('name="file"', 'a') + part('name="mapping"', '{'), 'validation_failed']
  ])('%s is refused', async (_what, body, code) => {
    await expect(read(`${body}--XX--\r\n`)).rejects.toMatchObject({ code })
  })

  it.each([
    ['of another type', 'x', 'text/csv'],
    ['without a type', 'x', ''],
    ['without a boundary', 'x', 'multipart/form-data'],
    ['that ends in the middle of the file', part('name="file"; filename="a.csv"', 'a,b'), TYPE],
    ['that is empty', '', TYPE]
  ])('with a body %s is refused', async (_what, body, type) => {
    await expect(read(body, type)).rejects.toMatchObject({ code: 'bad_request' })
  })

  it.runIf(process.platform === 'linux')('leaves no file and no open handle, accepted or refused', async () => {
    const open = () => readdirSync('/proc/self/fd').filter(isUpload).length
    await asBrowser(['file', new Blob(['a,b'])])
    await expect(asBrowser(['file', new Blob(['x'.repeat(LIMIT + 1)])])).rejects.toThrow()
    await expect(asBrowser(['file', new Blob(['a'])], ['other', 'b'])).rejects.toThrow()
    await expect(asBrowser(['file', new Blob(['a'])], ['mapping', 'x'.repeat(1_000_001)])).rejects.toThrow()
    await expect(read(part('name="file"; filename="a.csv"', 'a,b'))).rejects.toThrow()
    expect(readdirSync(join(storage, 'uploads'))).toEqual([])
    expect(open()).toBe(0)
  })

  it('whose body is interrupted is refused with the reason of the interruption', async () => {
    const reason = problem('payload_too_large')
    async function* broken() {
      yield Buffer.from(part('name="file"; filename="a.csv"', 'a,b').slice(0, -4))
      throw reason
    }
    await expect(readUpload(broken(), TYPE, { storage, limit: LIMIT })).rejects.toBe(reason)
  })

  it('with a field of more than a megabyte is refused', async () => {
    await expect(asBrowser(['mapping', 'x'.repeat(1_000_001)])).rejects.toMatchObject({ code: 'payload_too_large' })
  })

  it('of any bytes is read or refused, and never waits forever', async () => {
    const pieces = fc.constantFrom('--XX', '\r\n', '--', 'Content-Disposition: form-data', '; name="file"', ': ', 'é', '"')
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(pieces, fc.string())), async (words) => {
        const answer = await read(words.join('')).catch((error: unknown) => error)
        expect(isProblem(answer) || (answer as { bytes?: unknown }).bytes !== undefined).toBe(true)
      })
    )
  })
})
