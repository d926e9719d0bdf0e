import { describe, expect, it } from 'vitest'
import { fold, prefixQuery, searchable } from '@svc/kit/search'

describe('the search ignores accents, case and marks:', () => {
  it.each([
    ['Núria Puig', 'nuria puig'],
    ['Begoña Ñíguez', 'begona niguez'],
    ['Siobhán O’Brien', 'siobhan obrien'],
    ['Whitaker-Jones', 'whitaker jones'],
    ['Jürgen  Großkreuz', 'jurgen grosskreuz'],
    ['Zoé Lefèvre-Bœuf', 'zoe lefevre boeuf'],
    ['ليلى حداد', 'ليلى حداد'],
    ['Đặng Văn', 'dang van'],
    ['Işık İnci', 'isik inci'],
    ['Þórsson', 'thorsson'],
    ['Guðrún', 'gudrun'],
    ['Ħal Ŧo', 'hal to']
  ])('%s is stored as %s', (name, folded) => expect(fold(name)).toBe(folded))

  it('each word of a query matches the beginning of a word', () => {
    expect(prefixQuery(' Nún PUI ')).toBe('\'nun\':* & \'pui\':*')
    expect(prefixQuery('  ')).toBeNull()
  })

  it('a query is quoted, so that it cannot contain operators', () => {
    expect(prefixQuery('a\\ b:*')).toBe('\'a\\\\\':* & \'b:*\':*')
    expect(prefixQuery('o\'x')).toBe('\'ox\':*')
  })

  it.each([
    ['an ordinary name', 'Núria Puig', 'nuria puig'],
    ['a text after an apostrophe', 'Gina D’Angelo-Ruiz', 'gina dangelo ruiz angelo'],
    ['a single long word', '𠀀'.repeat(600), '𠀀'.repeat(500)],
    ['a text of many words', 'señal '.repeat(1000), 'senal '.repeat(400).trimEnd()]
  ])('%s is stored up to the limit of the database, in whole characters', (_, text, stored) =>
    expect(searchable(text)).toBe(stored))
})
