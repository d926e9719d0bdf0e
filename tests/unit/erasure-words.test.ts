import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, first]) => first!)

/**
 * The report of an erasure is in English, and screens translate it word by word. A word that is changed on one side
 * only would stay English.
 */
describe('the words of an erasure report', () => {
  const modules = ['clinical', 'budget', 'billing', 'payments', 'sms'].map((layer) => {
    const folder = `layers/${layer}/server/services`
    const sources = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => /(?:^|\/)(?:(?:erase|empty)-|privacy\.ts$)/.test(name))
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

  test.each(modules)('in $layer are those that its screens translate', ({ sources, known }) => {
    const said = [...found(sources, /\bwhat: '([^']+)'/g), ...found(sources, /\b(?:reason|REASON)(?::| =) '([^']+)'/g)]
    expect(known.length).toBeGreaterThan(0)
    expect([...new Set(said)].sort()).toEqual([...known].sort())
  })

  test('in the core are those that the screens translate', () => {
    const said = found(read('server/core/privacy/own-data.ts'), /^\s*\['([^']+)', sql`/gm)
    expect(said.sort()).toEqual(found(read('app/composables/texts/useErasureWords.ts'), /\['([^']+)', '/g).sort())
  })
})

test('the screens translate the catalog\'s text about a change of the clinic\'s settings', () => {
  const said = found(read('layers/catalog/server/services/after-clinic-change.ts'), /\bwhat: '([^']+)'/g)
  expect(said).toHaveLength(1)
  expect(found(read('layers/catalog/app/staff.ts'), /'([^']+)': 'catalog\.effect\.\w+'/g)).toEqual(said)
})
