import { deflateSync } from 'node:zlib'
import { PNG } from 'pngjs'
import { describe, expect, test } from 'vitest'
import { readSignatureImage } from '../../../layers/budget/server/services/decision/signature-image.ts'

type Paint = (x: number, y: number) => [number, number, number, number]

const CLEAR: Paint = () => [0, 0, 0, 0]
const STROKE: Paint = (x, y) => Math.abs(x / 2 - y) < 2 ? [20, 20, 60, 255] : [0, 0, 0, 0]

function anImage({
  width = 120,
  height = 60,
  paint = STROKE,
  options = {}
}: { width?: number, height?: number, paint?: Paint, options?: object } = {}): Buffer {
  const image = new PNG({ width, height })
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) image.data.set(paint(x, y), (y * width + x) * 4)
  return PNG.sync.write(image, options)
}

const url = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`
const wrong = (text: string) => (readSignatureImage(text) as { wrong?: string }).wrong

function withHeader(width: number, height: number, interlace = 0): Buffer {
  const bytes = anImage()
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  bytes[28] = interlace
  return bytes
}

describe('a drawn signature', () => {
  test('is decoded and encoded again, with the same pixels and without metadata', () => {
    const original = anImage()
    const text = Buffer.from('tEXtComment\0secret')
    const chunk = Buffer.concat([Buffer.from([0, 0, 0, text.length - 4]), text, Buffer.alloc(4)])
    chunk.writeUInt32BE(crc(text), chunk.length - 4)
    const marked = Buffer.concat([original.subarray(0, 33), chunk, original.subarray(33)])
    const read = readSignatureImage(url(marked)) as { png: Buffer }
    expect(read.png.includes('secret')).toBe(false)
    expect(PNG.sync.read(read.png).data).toEqual(PNG.sync.read(original).data)
  })

  test.each([
    ['transparent', CLEAR],
    ['white', (() => [255, 255, 255, 255]) as Paint],
    ['black', (() => [0, 0, 0, 255]) as Paint],
    ['white on transparent', ((x, y) => STROKE(x, y)[3] ? [255, 255, 255, 255] : [0, 0, 0, 0]) as Paint],
    ['a single dot', ((x, y) => x === 9 && y === 9 ? [0, 0, 0, 255] : [0, 0, 0, 0]) as Paint]
  ])('that is %s counts as blank', (_, paint) => expect(wrong(url(anImage({ paint })))).toBe('The signature is blank.'))

  test('of one pixel counts as blank', () =>
    expect(wrong(url(anImage({ width: 1, height: 1 })))).toBe('The signature is blank.'))

  test.each([
    ['an empty text', ''],
    ['an address', 'https://example.org/a.png'],
    ['another type', `data:image/jpeg;base64,${anImage().toString('base64')}`],
    ['SVG', `data:image/svg+xml;base64,${Buffer.from('<svg onload="alert(1)"/>').toString('base64')}`],
    ['SVG that says it is PNG', url(Buffer.from('<svg onload="alert(1)"/>'))],
    ['no image data', 'data:image/png;base64,'],
    ['not base64', 'data:image/png;base64,<script>'],
    ['a broken file', url(anImage().subarray(0, 80))],
    ['a wrong checksum', url(withHeader(100, 60))],
    ['declared as huge', url(withHeader(50000, 50000))],
    ['interlacing', url(withHeader(120, 60, 1))],
    ['larger than any signature pad', url(anImage({ width: 2001, height: 1000 }))],
    ['16 bits per channel', url(anImage({ options: { bitDepth: 16, colorType: 6, inputHasAlpha: true } }))],
    ['followed by additional bytes', url(Buffer.concat([anImage(), Buffer.from('<?php')]))]
  ])('is refused: %s', (_, text) => expect(wrong(text)).toMatch(/PNG|png/))

  test('of more than 200 kB is refused', () =>
    expect(wrong(`data:image/png;base64,${'A'.repeat(200_000)}`)).toBe('The image is larger than 200 kB.'))

  test('that unpacks to more than its header declares does not use up the memory', () => {
    const bomb = deflateSync(Buffer.alloc(60_000_000))
    const chunk = Buffer.concat([Buffer.from('IDAT'), bomb])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(bomb.length)
    const original = anImage()
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bomb.length)
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc(chunk))
    const file = Buffer.concat([original.subarray(0, 33), length, chunk, sum, original.subarray(original.length - 12)])
    expect(wrong(url(file))).toBeDefined()
  })
})

/** CRC-32 of a chunk's type and data (PNG, annex D). */
function crc(bytes: Buffer): number {
  let value = 0xFFFFFFFF
  for (const byte of bytes) {
    value ^= byte
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? value >>> 1 ^ 0xEDB88320 : value >>> 1
  }
  return (value ^ 0xFFFFFFFF) >>> 0
}
