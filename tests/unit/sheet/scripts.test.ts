import { beforeAll, describe, expect, test } from 'vitest'
import { inspectPdf } from '@svc/sheet/pdf/inspect.ts'
import { loadMissed } from '@svc/sheet/text/fallback.ts'
import { isCovered, runsOf, widthOfRuns, type Run } from '@svc/sheet/text/runs.ts'
import { coveredScripts } from '@svc/sheet/text/scripts.ts'
import { ellipsis, widthOf, wrap } from '@svc/sheet/text/text.ts'
import type { Face } from '@svc/sheet/layout/style.ts'
import { aDecision, aDocument, layOutBudget, renderBudget } from '../../support/documents/budget-document.ts'

const NAMES = ['王小明', '김민수', '山田太郎', 'やまだ たろう', 'สมชาย', 'अमित', 'דוד', '😀']
/** A code point that Unicode has not assigned to a character. */
const UNASSIGNED = '\u{10FFF0}'

/** Draws with every font that the text needs. */
async function runsWithFonts(line: string, face: Face = 'regular'): Promise<Run[]> {
  for (;;) {
    const runs = runsOf(line, face)
    if (!await loadMissed()) return runs
  }
}
const facesIn = async (line: string, face: Face = 'regular') => (await runsWithFonts(line, face)).map(run => run.face)

describe('a name in a script that the ordinary typeface lacks', () => {
  test.each(NAMES.flatMap(name => (['regular', 'bold', 'script'] as const).map(face => [name, face] as const)))(
    'is drawn without missing characters: %s in the %s typeface or in additional fonts',
    async (name, face) => {
      const runs = await runsWithFonts(name, face)
      expect(runs.map(({ text, means }) => means ?? text).join('')).toBe(name)
      for (const run of runs) expect(run.text).not.toMatch(/U\+/)
    }
  )

  test.each([
    ['王小明', 'sc'],
    ['김민수', 'kr'],
    ['スズキ 鈴木', 'jp'],
    ['สมชาย', 'thai'],
    ['अमित', 'devanagari'],
    ['😀', 'emoji']
  ])('such as %s is drawn in %s, with the width of its letters', async (name, family) => {
    const faces = await facesIn(name)
    expect(faces.filter(face => face !== 'regular').every(face => face.startsWith(`${family}/`))).toBe(true)
    const width = widthOfRuns(await runsWithFonts(name), 10)
    expect(width).toBeGreaterThan(name.length * 2)
    expect(widthOf(name, 'regular', 9.5)).toBeCloseTo(width * 0.95)
  })

  test('is bold in a bold line', async () => {
    for (const face of await facesIn('王小明', 'bold')) expect(face).toMatch(/\/700$/)
    for (const face of await facesIn('王小明', 'regular')) expect(face).toMatch(/\/400$/)
  })

  test('has its other letters in the ordinary typeface', async () => {
    expect(await facesIn('Ana 王 López')).toEqual(['regular', expect.stringMatching(/^sc\//), 'regular'])
  })

  test('keeps the order of its words from right to left', async () => {
    const runs = await runsWithFonts('דוד כהן', 'bold')
    expect(runs.map(run => run.text)).toEqual(runs.length === 1 ? ['דוד כהן'] : ['כהן', ' ', 'דוד'])
  })

  test('is broken between characters when it is wider than its column', async () => {
    await runsWithFonts('王小明')
    const lines = wrap('王小明'.repeat(20), 100, 'regular', 9.5)
    expect(lines.join('')).toBe('王小明'.repeat(20))
    for (const line of lines) expect(widthOf(line, 'regular', 9.5)).toBeLessThanOrEqual(100)
    expect(ellipsis('王小明'.repeat(20), 100, 'regular', 9.5)).toMatch(/^王小明.*…$/)
  })
})

describe('a character without a font', () => {
  test('is written as its code point in small capitals', async () => {
    expect(await runsWithFonts(`Ana ${UNASSIGNED}`)).toEqual([
      { face: 'regular', scale: 1, text: 'Ana ' },
      { face: 'regular', scale: 0.74, text: 'U+10FFF0' }
    ])
    expect((await runsWithFonts('\u0378')).map(run => run.text)).toEqual(['U+0378'])
  })

  test('is never □, neither in a name nor in the signature block', async () => {
    const name = `王小明 ${UNASSIGNED}`
    const { bytes } = await renderBudget(aDocument({
      patient_name: name,
      decision: aDecision({ signer_name: name, method: 'typed' })
    }))
    const { text } = await inspectPdf(bytes)
    expect(text.split('\n').filter(line => line === '王小明 U+10FFF0')).toHaveLength(4)
    expect(text).not.toContain('□')
  })
})

describe('the file with such a name', () => {
  const document = aDocument({
    patient_name: NAMES.join(' '),
    clinic: { ...aDocument().clinic, name: 'शर्मा หมอฟัน 牙科' },
    professional_name: 'क्षत्रिय प्रिया'
  })
  let bytes: Uint8Array
  beforeAll(async () => {
    bytes = (await renderBudget(document)).bytes
  })

  test('has the name in its original character order, with vowels after their consonants', async () => {
    const { text } = await inspectPdf(bytes)
    for (const name of ['शर्मा หมอฟัน 牙科', 'क्षत्रिय प्रिया', '王小明 김민수', 'สมชาย'])
      expect(text).toContain(name)
  })

  test('has only the needed letters of each font', () => {
    expect(bytes.length).toBeLessThan(80_000)
  })

  test('is identical when it is drawn again', async () => {
    expect(Buffer.from((await renderBudget(document)).bytes).equals(Buffer.from(bytes))).toBe(true)
  })
})

test('a text without such characters loads no other font', () => {
  expect(isCovered('Łukasz Ñúñez Ελληνικά Имя محمد', 'regular')).toBe(true)
  layOutBudget(aDocument({ patient_name: 'محمد الهاشمي', notes: 'Ελληνικά · Имплантация' }))
  return expect(loadMissed()).resolves.toBe(false)
})

test('all scripts of the specification are covered', () => {
  const { covered, missing } = coveredScripts()
  expect(covered).toEqual(expect.arrayContaining(['Chinese', 'Japanese', 'Korean', 'Thai', 'Devanagari', 'Hebrew', 'Emoji']))
  expect(missing).toEqual([])
})
