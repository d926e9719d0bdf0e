import { foldHeader } from '@svc/kit/cells'
import { expect, it } from 'vitest'
import categories from '../../../layers/catalog/server/seed/categories.json' with { type: 'json' }
import { CATEGORY_WORDS } from '../../../layers/catalog/server/services/import/category-words.ts'

it('each word of the table names one category only', () => {
  expect(Object.keys(CATEGORY_WORDS)).toEqual(categories.map(({ values }) => values.code))
  for (const words of Object.values(CATEGORY_WORDS)) expect(words.length).toBeGreaterThan(0)
  const meanings = new Map<string, string>()
  const all = [
    ...Object.entries(CATEGORY_WORDS).flatMap(([code, words]) => words.map(word => [code, word] as const)),
    ...categories.flatMap(({ values: { code, name } }) => Object.values(name).map(word => [code, word] as const))
  ]
  for (const [code, word] of all) {
    const folded = foldHeader(word)
    expect([word, meanings.get(folded) ?? code]).toEqual([word, code])
    meanings.set(folded, code)
  }
})
