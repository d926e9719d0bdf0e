import { problem } from '@svc/kit'

export const LOGO_TYPES = ['image/png', 'image/jpeg']
export const LOGO_BYTES = 512_000
const MOST_PIXELS = 2000

/** Pages and documents show it, so it is looked at before it is kept. Throws `validation_failed`. */
export async function checkLogo({ type, bytes }: { type: string, bytes: Buffer }): Promise<void> {
  const size = type === 'image/png' ? sizeOfPng(bytes) : sizeOfJpeg(bytes)
  if (!size) throw refused(`The file is no readable ${type === 'image/png' ? 'PNG' : 'JPEG'} image.`)
  if (size.width > MOST_PIXELS || size.height > MOST_PIXELS) throw refused(`At most ${MOST_PIXELS} × ${MOST_PIXELS} pixels.`)
  if (type === 'image/png' && !await isReadablePng(bytes)) throw refused('The file is no readable PNG image.')
}

const refused = (message: string) => problem('validation_failed', { detail: message, errors: [{ pointer: '', message }] })

interface Size { width: number, height: number }
const PNG_START = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

/** From the header alone: a small file can unpack into gigabytes. */
function sizeOfPng(bytes: Buffer): Size | null {
  if (bytes.length < 33 || !bytes.subarray(0, 16).equals(PNG_START)) return null
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
  return size.width > 0 && size.height > 0 ? size : null
}

async function isReadablePng(bytes: Buffer): Promise<boolean> {
  const { PNG } = await import('pngjs')
  try {
    return PNG.sync.read(bytes).width > 0
  } catch {
    return false // the reader's word for every kind of damage
  }
}

/** Walks the segments to the start-of-frame one (ITU-T T.81, B.2.2), up to the scan. */
function sizeOfJpeg(bytes: Buffer): Size | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xFFD8 || bytes.readUInt16BE(bytes.length - 2) !== 0xFFD9) return null
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xFF;) {
    const marker = bytes[at + 1]!
    const isFrame = marker >= 0xC0 && marker <= 0xCF && ![0xC4, 0xC8, 0xCC].includes(marker)
    if (isFrame) {
      const size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
      return size.width > 0 && size.height > 0 ? size : null
    }
    if (marker === 0xDA) return null
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return null
}
