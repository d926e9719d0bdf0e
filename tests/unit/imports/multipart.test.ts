import fc from 'fast-check'
import { isProblem } from '@svc/kit'
import { describe, expect, it } from 'vitest'
import { readUpload } from '../../../server/core/imports/file/multipart.ts'

const LIMIT = 1000
const TYPE = 'multipart/form-data; boundary=XX'
const part = (head: string, body: string) => `--XX\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`
const read = (text: string, type: string | undefined = TYPE) => readUpload(Buffer.from(text), type, LIMIT)

async function asBrowser(...fields: [string, Blob | string, string?][]) {
  const form = new FormData()
  for (const [name, value, file_name] of fields)
    if (typeof value === 'string') form.set(name, value)
    else form.set(name, value, file_name)
  const response = new Response(form)
  const type = response.headers.get('content-type')!
  return await readUpload(new Uint8Array(await response.arrayBuffer()), type, LIMIT)
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

  it('is taken up to the limit and no further', async () => {
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
  ])('a body %s is refused', async (_what, body, type) => {
    await expect(read(body, type)).rejects.toMatchObject({ code: 'bad_request' })
  })

  it('of any bytes is read or refused, and never waits for ever', async () => {
    const pieces = fc.constantFrom('--XX', '\r\n', '--', 'Content-Disposition: form-data', '; name="file"', ': ', 'é', '"')
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(pieces, fc.string())), async (words) => {
        const answer = await read(words.join('')).catch((error: unknown) => error)
        expect(isProblem(answer) || (answer as { bytes?: unknown }).bytes !== undefined).toBe(true)
      })
    )
  })
})
