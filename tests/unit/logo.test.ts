import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { drawableLogo, prepareLogo } from '../../server/core/clinics/logo.ts'
import {
  aClaimingPng, aCmykJpeg, aDeepPng, aJpeg, anInterlacedPng, aPng, aProfileBomb, aTurnedJpeg
} from '../support/browser/pictures.ts'

const png = (bytes: Buffer) => ({ type: 'image/png', bytes }) as const
const jpeg = (bytes: Buffer) => ({ type: 'image/jpeg', bytes }) as const

describe('a logo', () => {
  test.each([
    ['wide', 1800, 300, 600, 100],
    ['high', 300, 2000, 30, 200],
    ['as large as allowed', 2000, 2000, 200, 200],
    ['small', 120, 40, 120, 40]
  ])('that is %s is scaled to what documents need, never up', async (_, width, height, toWidth, toHeight) => {
    for (const logo of [png(await aPng(width, height)), jpeg(await aJpeg(width, height))]) {
      const kept = await prepareLogo(logo)
      const { format, width, height } = await sharp(kept.bytes).metadata()
      expect([kept.type, format, width, height]).toEqual([logo.type, logo.type.slice(6), toWidth, toHeight])
    }
  })

  test('keeps its pixels and no other data', async () => {
    const original = await sharp(await aPng()).withExif({ IFD0: { Copyright: 'secret' } }).png().toBuffer()
    const { bytes } = await prepareLogo(png(original))
    expect([original.includes('secret'), bytes.includes('secret')]).toEqual([true, false])
    expect(await sharp(bytes).raw().toBuffer()).toEqual(await sharp(original).raw().toBuffer())
  })

  test('has the orientation that its camera recorded', async () => {
    const { width, height } = await sharp((await prepareLogo(jpeg(await aTurnedJpeg(60, 20)))).bytes).metadata()
    expect([width, height]).toEqual([20, 60])
  })

  test('with a profile that unpacks to more than any picture is stored without the profile', async () => {
    expect((await sharp((await prepareLogo(png(await aProfileBomb()))).bytes).metadata()).icc).toBeUndefined()
  })
})

const noPng = 'This isn\'t a readable PNG image. Save it as PNG again, or use another one.'
const noJpeg = 'This isn\'t a readable JPEG image. Save it as JPEG again, or use another one.'
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect/></svg>')

describe('a logo is refused with a sentence that explains what to do:', () => {
  test.each([
    ['an interlaced PNG', async () => png(await anInterlacedPng()),
      'The PNG is interlaced. Save it without interlacing.'],
    ['16 bits per channel', async () => png(aDeepPng()),
      'The image has more than 8 bits per channel. Save it with 8.'],
    ['a CMYK JPEG', async () => jpeg(await aCmykJpeg()),
      'The image has CMYK colours, for print. Save it with RGB colours.'],
    ['an image declared with 30,000 × 30,000 pixels', async () => png(aClaimingPng({ width: 30_000, height: 30_000 })),
      'The image has 30000 × 30000 pixels. Use one with at most 2,000 pixels a side.'],
    ['an image 2,001 pixels wide', async () => jpeg(await aJpeg(2001, 10)),
      'The image has 2001 × 10 pixels. Use one with at most 2,000 pixels a side.'],
    ['an image with fewer rows than declared', async () => png(aClaimingPng({ width: 300, height: 100 })), noPng],
    ['an incomplete PNG', async () => png((await aPng()).subarray(0, -20)), noPng],
    ['a PNG with a wrong checksum', async () => png(withFlippedByte(await aPng())), noPng],
    ['an incomplete JPEG', async () => jpeg((await aJpeg(1000, 1000)).subarray(0, -500)), noJpeg],
    ['a JPEG sent as PNG', async () => png(await aJpeg()), noPng],
    ['a PNG sent as JPEG', async () => jpeg(await aPng()), noJpeg],
    ['SVG', async () => png(svg), noPng],
    ['an SVG sent as JPEG', async () => jpeg(svg), noJpeg],
    ['another format sent as JPEG', async () => jpeg(await sharp(await aPng()).webp().toBuffer()), noJpeg],
    ['invalid data', async () => png(Buffer.from('nonsense')), noPng],
    ['an empty file', async () => jpeg(Buffer.alloc(0)), noJpeg]
  ])('%s', async (_, make, message) => {
    const fields = { detail: message, errors: [{ pointer: '', message }] }
    await expect(prepareLogo(await make())).rejects.toMatchObject({ code: 'validation_failed', fields })
  })
})

test('a logo with more pixels than it declares is not unpacked', async () => {
  const logo = png(aClaimingPng({ width: 300, height: 100, rows: 60_000 }))
  const kept = await prepareLogo(logo).catch(({ code }: { code: string }) => code)
  if (typeof kept === 'object') expect(await sharp(kept.bytes).metadata()).toMatchObject({ width: 300, height: 100 })
})

describe('a logo that was stored before there were limits', () => {
  test('is unchanged when it is small', async () => {
    const stored = jpeg(await aJpeg(120, 40))
    expect(await drawableLogo(stored)).toBe(stored)
  })

  test('is scaled down for documents', async () => {
    const drawable = await drawableLogo(png(await aPng(2000, 500)))
    expect(drawable).toMatchObject({ type: 'image/png' })
  })

  test('is omitted when it cannot be used', async () => {
    expect(await drawableLogo(png(await anInterlacedPng()))).toMatchObject({ reason: 'interlaced' })
  })
})

function withFlippedByte(png: Buffer): Buffer {
  const copy = Buffer.from(png)
  copy[60]! ^= 0xFF
  return copy
}
