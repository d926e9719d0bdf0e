import { crc32, deflateSync } from 'node:zlib'
import { PNG } from 'pngjs'
import sharp from 'sharp'

const canvas = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#336699' } })

export const aPng = (width = 300, height = 100) => canvas(width, height).png().toBuffer()
export const aJpeg = (width = 300, height = 100) => canvas(width, height).jpeg().toBuffer()
/** Exif's orientation 6: to be rotated by a quarter. */
export const aTurnedJpeg = (width: number, height: number) =>
  canvas(width, height).withMetadata({ orientation: 6 }).jpeg().toBuffer()
export const aCmykJpeg = () => canvas(300, 100).toColourspace('cmyk').jpeg().toBuffer()
export const anInterlacedPng = () => canvas(300, 100).png({ progressive: true }).toBuffer()

export function aDeepPng(): Buffer {
  return PNG.sync.write(new PNG({ width: 4, height: 4 }), { bitDepth: 16, colorType: 6, inputHasAlpha: true })
}

/** ISO 15948, 5.3. */
export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A complete and valid PNG of one colour that claims to have this size, and contains `rows` rows. */
export function aClaimingPng({ width, height, rows = 1 }: { width: number, height: number, rows?: number }): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8) // eight bits, RGB
  const pixels = deflateSync(Buffer.alloc((width * 3 + 1) * rows))
  const chunks = [pngChunk('IHDR', header), pngChunk('IDAT', pixels), pngChunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([PNG_SIGNATURE, ...chunks])
}

/** A small picture whose colour profile unpacks to 60 MB. */
export async function aProfileBomb(): Promise<Buffer> {
  const png = await aPng()
  const profile = Buffer.concat([Buffer.from('bomb\0\0', 'latin1'), deflateSync(Buffer.alloc(60_000_000))])
  return Buffer.concat([png.subarray(0, AFTER_HEADER), pngChunk('iCCP', profile), png.subarray(AFTER_HEADER)])
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const AFTER_HEADER = 33
