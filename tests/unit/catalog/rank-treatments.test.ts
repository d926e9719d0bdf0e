import { describe, expect, test } from 'vitest'
import starter from '../../../layers/catalog/server/starter/treatments.json' with { type: 'json' }
import { isClose, rankTreatments, type Ranked } from '../../../layers/catalog/shared/domain/rank-treatments.ts'

type Language = keyof typeof starter[number]['name']
const catalogue = (language: Language): (Ranked & { code: string })[] =>
  starter.map(({ code, name, surfaces }) => ({ code, names: [name[language]], surfaces }))
/** The treatments whose names have every word of the text somewhere, as the search finds them. */
const found = (language: Language, text: string) => catalogue(language).filter(({ code, names }) =>
  text.toLowerCase().split(' ').every(word => `${code} ${names[0]}`.toLowerCase().includes(word)))
const rank = (language: Language, text: string, surfaces = 0) =>
  rankTreatments(found(language, text), { text, surfaces })
const named = (...names: string[]): Ranked[] => names.map((name, at) => ({ code: `T-${at}`, names: [name] }))
const namesOf = (ranked: Ranked[]) => ranked.map(({ names: [name] }) => name)

describe('what a search ranks first', () => {
  test.each([
    ['en', 'crown'], ['es', 'corona'], ['fr', 'couronne'], ['de', 'krone'], ['pt', 'coroa'], ['ar', 'تاج']
  ] as const)('is a plain crown rather than the crown on an implant, in %s', (language, text) => {
    const codes = rank(language, text).map(({ code }) => code)
    expect(codes.slice(0, 2).toSorted()).toEqual(['PRO-01', 'PRO-02'])
    expect(codes).toContain('IMP-02')
  })

  test.each([
    ['en', 'filling'], ['es', 'obturación'], ['fr', 'composite'], ['de', 'füllung'], ['pt', 'restauração'], ['ar', 'حشوة']
  ] as const)('is the filling with as many surfaces as were typed, in %s', (language, text) => {
    for (const [surfaces, code] of [[1, 'RES-01'], [2, 'RES-02'], [3, 'RES-03'], [5, 'RES-03']] as const) {
      const ranked = rank(language, text, surfaces)
      expect([surfaces, ranked[0]!.code]).toEqual([surfaces, code])
      expect(isClose(ranked, { text, surfaces })).toBe(false)
    }
  })

  test('is the whole name or the code, whatever else was typed', () => {
    expect(namesOf(rankTreatments(named('Crown on implant', 'Zirconia crown', 'Crown'), { text: 'crown' }))[0]).toBe('Crown')
    expect(namesOf(rankTreatments(named('Post', 'T-0 kit'), { text: 't-0' }))[0]).toBe('Post')
    const sets = named('Aligner set', 'Aligner set 24')
    expect(namesOf(rankTreatments(sets, { text: 'aligner set', typed: 'Aligner set 24' })).toSorted()).toEqual(
      ['Aligner set', 'Aligner set 24'])
  })

  test('is the name with the fewest further words, then one that begins with the text, then the first code', () => {
    const names = ['Implant maintenance twice', 'Dental implant', 'Implant body', 'Implant abutment']
    expect(namesOf(rankTreatments(named(...names), { text: 'implant' })))
      .toEqual(['Implant body', 'Implant abutment', 'Dental implant', 'Implant maintenance twice'])
  })

  test('has the text as words, rather than at the beginning of words or inside of them', () => {
    const names = ['Backposting', 'Postoperative visit', 'Fibre post']
    expect(namesOf(rankTreatments(named(...names), { text: 'post' })))
      .toEqual(['Fibre post', 'Postoperative visit', 'Backposting'])
  })

  test('does not depend on accents, case or the language of the name', () => {
    const item = { code: 'X', names: ['Zirconia crown', 'Corona de zirconio'] }
    expect(rankTreatments([...named('Coronal scaling'), item], { text: 'CORONÁ' })[0]).toBe(item)
  })
})

describe('two results are close', () => {
  test('when only the order of their codes distinguishes them', () => {
    expect(isClose(rank('en', 'crown'), { text: 'crown' })).toBe(true)
    expect(isClose(rank('en', 'filling'), { text: 'filling' })).toBe(true)
    expect(isClose(named('Crown', 'Crown'), { text: 'crown' })).toBe(true)
  })
  test('when no text was typed', () => {
    expect(isClose(named('Crown', 'Post'), { text: ' ' })).toBe(true)
  })
  test('not when one is plainer, or the only one', () => {
    const plain = rankTreatments(named('Crown on implant', 'Zirconia crown'), { text: 'crown' })
    expect(namesOf(plain)[0]).toBe('Zirconia crown')
    expect(isClose(plain, { text: 'crown' })).toBe(false)
    expect(isClose(named('Crown'), { text: 'crown' })).toBe(false)
  })
})
