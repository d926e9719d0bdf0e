import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CHART_SHADES } from '../../../layers/reports/app/utils/chart-shades.ts'
import { contrastWithWhite } from '../../../shared/clinic.ts'

const style = readFileSync(resolve(import.meta.dirname, '../../../app/assets/css/main.css'), 'utf8')
const [light, dark] = [...style.matchAll(/--paper: (#[0-9a-f]{6});/g)].map(match => match[1]!)

/** WCAG 2.2: the contrast of the lighter colour with white is the smaller one. */
function contrast(one: string, other: string) {
  const [less, more] = [contrastWithWhite(one), contrastWithWhite(other)].sort((a, b) => a - b)
  return more! / less!
}

describe.each([['light', light!], ['dark', dark!]] as const)('the colours of charts (%s)', (mode, paper) => {
  test('contrast with the paper and with each other', () => {
    const shades = CHART_SHADES[mode]
    for (const [at, shade] of shades.entries()) {
      expect(contrast(shade, paper), shade).toBeGreaterThanOrEqual(3)
      if (at > 0) expect(contrast(shade, shades[at - 1]!), shade).toBeGreaterThanOrEqual(3)
    }
  })

  test('include no red or green', () => {
    for (const shade of CHART_SHADES[mode]) {
      const [red, green, blue] = [1, 3, 5].map(at => Number.parseInt(shade.slice(at, at + 2), 16)) as [
        number,
        number,
        number
      ]
      // Red or green alone exceeds the other two.
      expect(red > green + 60 && red > blue + 60, shade).toBe(false)
      expect(green > red + 40 && green > blue + 20, shade).toBe(false)
    }
  })
})
