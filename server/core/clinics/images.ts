import type { Metadata } from 'sharp'
import { loadOnce } from '../load-once.ts'

export interface Picture { type: 'image/png' | 'image/jpeg', bytes: Buffer }
export interface Refused {
  reason: 'broken' | 'wide' | 'interlaced' | 'deep' | 'cmyk'
  /** What is wrong, and how to fix it. */
  message: string
}

const MAX_SIDE_PIXELS = 2000
const FORMATS = { 'image/png': 'png', 'image/jpeg': 'jpeg' } as const

const decoder = loadOnce(loadDecoder)
let last: Promise<unknown> = Promise.resolve()

/**
 * Decodes a picture within limits and encodes it again: only pixels are kept, at most as many as fit into the box. The
 * decoder works in its own threads, row by row, so that memory does not grow with the size that a file claims or
 * unpacks to. Pictures are read one at a time, so that a hundred need no more memory than one.
 */
export function readPicture(picture: Picture, box: { width: number, height: number }): Promise<Picture | Refused> {
  const result = last.then(() => decode(picture, box))
  last = result.catch(() => {})
  return result
}

/** Whether it can be stored unchanged. Reads only the header. */
export async function fits({ type, bytes }: Picture, box: { width: number, height: number }): Promise<boolean> {
  const read = await decoder()
  const header = await read(bytes, { limitInputPixels: false }).metadata().catch(() => null)
  return header !== null && !whyNot(header, type) && header.width <= box.width && header.height <= box.height
}

async function decode({ type, bytes }: Picture, box: { width: number, height: number }): Promise<Picture | Refused> {
  const read = await decoder()
  const file = type === 'image/png' ? pixelChunks(bytes) : bytes
  if (!file) return broken(type)
  try {
    const refused = whyNot(await read(file, { limitInputPixels: false }).metadata(), type) // reads only the header
    if (refused) return refused
    const small = read(file, { failOn: 'error', limitInputPixels: MAX_SIDE_PIXELS ** 2 })
      .autoOrient()
      .resize({ ...box, fit: 'inside', withoutEnlargement: true })
    const encoded = type === 'image/png' ? small.png({ compressionLevel: 9 }) : small.jpeg({ quality: 90 })
    return { type, bytes: await encoded.toBuffer() }
  } catch {
    return broken(type) // the decoder throws for every kind of damage
  }
}

async function loadDecoder() {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  sharp.block({ operation: ['VipsForeignLoad'] }) // would otherwise also decode SVG, for example
  sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg'] })
  return sharp
}

function whyNot(header: Metadata, type: Picture['type']): Refused | null {
  const { format, width, height, depth, space, isProgressive } = header
  const refused = (reason: Refused['reason'], message: string) => ({ reason, message })
  if (format !== FORMATS[type]) return broken(type)
  if (Math.max(width, height) > MAX_SIDE_PIXELS) {
    return refused('wide', `The image has ${width} × ${height} pixels. Use one with at most 2,000 pixels a side.`)
  }
  if (depth !== 'uchar') return refused('deep', 'The image has more than 8 bits per channel. Save it with 8.')
  if (space === 'cmyk') return refused('cmyk', 'The image has CMYK colours, for print. Save it with RGB colours.')
  // An interlaced PNG must be in memory as a whole.
  if (format === 'png' && isProgressive)
    return refused('interlaced', 'The PNG is interlaced. Save it without interlacing.')
  return null
}

function broken(type: Picture['type']): Refused {
  const name = FORMATS[type].toUpperCase()
  return {
    reason: 'broken',
    message: `This isn't a readable ${name} image. Save it as ${name} again, or use another one.`
  }
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const PIXEL_CHUNKS = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'])

/**
 * A PNG without its texts and profiles (ISO 15948, 11.3), which are compressed and may unpack to any size. Null if it
 * is truncated.
 */
function pixelChunks(png: Buffer): Buffer | null {
  if (!png.subarray(0, 8).equals(PNG_SIGNATURE)) return null
  const kept: Buffer[] = [PNG_SIGNATURE]
  for (let at = 8; at + 12 <= png.length;) {
    const type = png.toString('latin1', at + 4, at + 8)
    const end = at + 12 + png.readUInt32BE(at)
    if (end > png.length) return null
    if (PIXEL_CHUNKS.has(type)) kept.push(png.subarray(at, end))
    if (type === 'IEND') return Buffer.concat(kept)
    at = end
  }
  return null
}
