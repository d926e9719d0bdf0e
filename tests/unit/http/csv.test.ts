import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { idBatches, unescapeCell } from '@svc/kit/csv'
import { csvText } from '../../../server/core/http/csv.ts'

async function textOf(columns: string[], ...batches: (string | null)[][][]): Promise<string> {
  async function* given() { yield* batches }
  let text = ''
  for await (const piece of csvText({ columns, batches: given() })) text += piece
  return text
}

test('a CSV file begins with a byte order mark, ends each row with CRLF, and quotes as RFC 4180 requires', async () => {
  expect(await textOf(['a', 'b'], [['1,5', 'say "x"'], ['two\nlines', 'a\rb']], [[null, '-12.50']])).toBe(
    '\uFEFFa,b\r\n"1,5","say ""x"""\r\n"two\nlines","a\rb"\r\n,-12.50\r\n'
  )
})

test('a CSV file without rows has only the row of column names', async () => {
  expect(await textOf(['a', 'b'])).toBe('\uFEFFa,b\r\n')
  expect(await textOf(['a', 'b'], [])).toBe('\uFEFFa,b\r\n')
})

test('a text that would be a formula stays a text', async () => {
  const hostile = ['=HYPERLINK("http://x")', '+1+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1', '\'=1']
  const text = await textOf(['a'], hostile.map(cell => [cell]))
  const [, ...cells] = parse(text, { bom: true, record_delimiter: '\r\n' }).map(([cell]) => cell!)
  expect(cells.every(cell => cell.startsWith('\''))).toBe(true)
  expect(cells.map(unescapeCell)).toEqual(hostile)
})

test('every text is read back exactly', async () => {
  const cell = fc.oneof(fc.string(), fc.stringMatching(/^[=+\-@\t\r\n'",;a1 ]{0,6}$/))
  await fc.assert(fc.asyncProperty(fc.array(fc.tuple(cell, cell), { maxLength: 5 }), async (rows) => {
    const read = parse(await textOf(['a', 'b'], rows), { bom: true, record_delimiter: '\r\n' })
    expect(read.slice(1).map(row => row.map(unescapeCell))).toEqual(rows)
  }))
})

test('packed ids are returned in batches and in order', () => {
  const ids = Array.from({ length: 5 }, () => crypto.randomUUID())
  const packed = Buffer.from(ids.join('').replaceAll('-', ''), 'hex')
  expect([...idBatches(packed, 2)]).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)])
  expect([...idBatches(new Uint8Array())]).toEqual([])
})
