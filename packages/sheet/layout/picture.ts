import type { Picture } from '../sheet.ts'

/** The size in pixels of a PNG (IHDR) or JPEG (first SOF marker). Null for anything else. */
function dimensions({ type, bytes }: Picture): { width: number, height: number } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const size = type === 'image/png' ? pngSize(view) : type === 'image/jpeg' ? jpegSize(view) : null
  return size && size.width > 0 && size.height > 0 ? size : null
}

function pngSize(view: DataView) {
  if (view.byteLength < 24 || view.getUint32(0) !== 0x89504E47 || view.getUint32(12) !== 0x49484452) return null
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

function jpegSize(view: DataView) {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xFFD8) return null
  let at = 2
  while (at + 9 <= view.byteLength && view.getUint8(at) === 0xFF) {
    const marker = view.getUint8(at + 1)
    // SOF0…SOF15 without the tables DHT (C4), JPG (C8) and DAC (CC).
    if (marker >= 0xC0 && marker <= 0xCF && ![0xC4, 0xC8, 0xCC].includes(marker)) {
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    }
    at += 2 + view.getUint16(at + 2)
  }
  return null
}

/** The largest size with the picture's proportions inside a box. */
export function fit(
  picture: Picture,
  box: { width: number, height: number }
): { width: number, height: number } | null {
  const size = dimensions(picture)
  if (!size) return null
  const scale = Math.min(box.width / size.width, box.height / size.height)
  return { width: size.width * scale, height: size.height * scale }
}

export const dataUrl = ({ type, bytes }: Picture): string =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
