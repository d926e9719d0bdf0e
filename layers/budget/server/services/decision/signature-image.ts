import { PNG } from 'pngjs'

const PREFIX = 'data:image/png;base64,'
/** Of the whole data URL. */
const MAX_IMAGE_LENGTH = 200_000
const MAX_SIDE = 4000
/** A pad of 700 × 400 at double density has 1.1 million. Decoding blocks all other requests. */
const MAX_PIXELS = 2_000_000
/** A drawing with fewer marked pixels than a short stroke is an accident. */
const MIN_INK = 16
/** Of 255: how much a pixel must differ from the background to be visible on paper. */
const VISIBLE = 32
const MAGIC = Buffer.from([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

/**
 * Decodes a drawn signature and encodes it again, so that only pixels are kept (no metadata, no trailing bytes).
 * Returns the PNG, or a sentence that explains what is wrong with the image.
 */
export function readSignatureImage(url: string): { png: Buffer } | { wrong: string } {
  if (url.length > MAX_IMAGE_LENGTH) return { wrong: 'The image is larger than 200 kB.' }
  if (!url.startsWith(PREFIX)) return { wrong: 'The image must be a data:image/png;base64 URL.' }
  const bytes = decodeBase64(url.slice(PREFIX.length))
  if (!bytes || !isSafePng(bytes)) return { wrong: 'The image is no usable PNG.' }
  const image = decode(bytes)
  if (!image) return { wrong: 'The image is no usable PNG.' }
  if (ink(image) < MIN_INK) return { wrong: 'The signature is blank.' }
  const clean = Object.assign(new PNG({ width: image.width, height: image.height }), { data: image.data })
  return { png: PNG.sync.write(clean, { colorType: 6, inputColorType: 6, deflateLevel: 9 }) }
}

/** Buffer.from skips invalid characters, so only text that decodes and encodes to itself is accepted. */
function decodeBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '') ? bytes : null
}

/** Reads the header before anything is inflated, because a small file may claim to be a huge picture. */
function isSafePng(bytes: Buffer): boolean {
  if (bytes.length < 33 || !bytes.subarray(0, 8).equals(MAGIC) || bytes.toString('latin1', 12, 16) !== 'IHDR')
    return false
  const width = bytes.readUInt32BE(16)
  const height = bytes.readUInt32BE(20)
  const deep = bytes[24]! > 8 // no canvas writes 16 bits per channel, which would cost several times as much
  const interlaced = bytes[28] !== 0 // the decoder limits its memory only for non-interlaced pictures
  return (
    width > 0
    && height > 0
    && width <= MAX_SIDE
    && height <= MAX_SIDE
    && width * height <= MAX_PIXELS
    && !deep
    && !interlaced
  )
}

function decode(bytes: Buffer) {
  try {
    return PNG.sync.read(bytes)
  } catch {
    return null // a wrong checksum, chunk order or truncated data make no difference to the signer
  }
}

/** Counts pixels that differ visibly from the background (the first pixel) when printed on white paper. */
function ink({ data }: { data: Buffer }): number {
  const paper = onWhite(data, 0)
  let marked = 0
  for (let offset = 0; offset < data.length; offset += 4) {
    if (Math.abs(onWhite(data, offset) - paper) > VISIBLE) marked++
  }
  return marked
}

/** Luminance (ITU-R BT.601) of one RGBA pixel over white, 0–255. */
function onWhite(data: Buffer, offset: number): number {
  const alpha = data[offset + 3]! / 255
  const light = 0.299 * data[offset]! + 0.587 * data[offset + 1]! + 0.114 * data[offset + 2]!
  return light * alpha + 255 * (1 - alpha)
}
