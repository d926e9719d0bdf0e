import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, first]) => first!)

/**
 * A report of an erasure speaks English; screens translate it word by word, so that a word that is changed on one side
 * alone stays English.
 */
describe('the words of an erasure', () => {
  const modules = ['clinical', 'budget', 'billing'].map((layer) => {
    const folder = `layers/${layer}/server/services`
    const sources = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => /(?:^|\/)(?:erase|empty)-/.test(name))
      .map(name => read(`${folder}/${name}`))
      .join('\n')
    return {
      layer,
      sources,
      known: found(read(`layers/${layer}/app/staff.ts`), /^ +'([^']+)': '\w+\.erasure\.\w+'/gm).concat(
        found(read(`layers/${layer}/app/staff.ts`), /\{ (\w+): '\w+\.privacy\.\w+' \}/g)
      )
    }
  })

  test.each(modules)('of $layer are those that its screens know', ({ sources, known }) => {
    const said = [...found(sources, /\bwhat: '([^']+)'/g), ...found(sources, /\b(?:reason|REASON)(?::| =) '([^']+)'/g)]
    expect(known.length).toBeGreaterThan(0)
    expect([...new Set(said)].sort()).toEqual([...known].sort())
  })

  test('of the core too', () => {
    const said = found(read('server/core/privacy/own-data.ts'), /^\s*\['([^']+)', sql`/gm)
    expect(said.sort()).toEqual(found(read('app/composables/texts/useErasureWords.ts'), /\['([^']+)', '/g).sort())
  })
})

test('the screens know what the catalog says of a change of the clinic\'s settings', () => {
  const said = found(read('layers/catalog/server/services/after-clinic-change.ts'), /\bwhat: '([^']+)'/g)
  expect(said).toHaveLength(1)
  expect(found(read('layers/catalog/app/staff.ts'), /'([^']+)': 'catalog\.effect\.\w+'/g)).toEqual(said)
})
