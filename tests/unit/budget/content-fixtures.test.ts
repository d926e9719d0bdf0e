import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { digestContent } from '../../../layers/budget/server/services/log/content.ts'
import { root } from '../../support/modules/official.ts'

type Input = Parameters<typeof digestContent>
interface Fixture { budget: Input[0], items: Input[1], content: string, digest: string }

/** The fixtures were made by the releases before choices and teeth, and before conditions. */
const fixturesOf = (name: string) => JSON.parse(
  readFileSync(join(root, `tests/fixtures/content/${name}.json`), 'utf8'),
  (_, value) => value && typeof value === 'object' && 'bigint' in value ? BigInt(value.bigint) : value
) as Record<string, Fixture>
const fixtures = { ...fixturesOf('without-choices'), ...fixturesOf('without-clauses') }

/** Columns that were added later. The content of a budget that uses none of them does not have them. */
const SINCE = {
  choices: null,
  price_from: null,
  price_to: null,
  selection: null,
  tooth_notation: null,
  deciduous: false,
  clauses: null
}
const LINE_SINCE = { option_id: null, teeth: null, tooth_surfaces: null, area: null, site: null }

test.each(Object.entries(fixtures))('the content of %s is byte for byte that of the earlier release', (_, fixture) => {
  const budget = { ...SINCE, ...fixture.budget }
  const items = fixture.items.map(item => ({ ...LINE_SINCE, ...item }))
  const { text, digest } = digestContent(budget, items, 'The clinic now')
  expect(text).toBe(fixture.content)
  expect(digest).toBe(fixture.digest)
})

const clauses = [
  { module: 'terms', id: 'b', title: 'Änderung', text: 'Two\nlines' },
  { module: 'terms', id: 'a', title: 'A', text: 'B' }
]

test.each(Object.entries(fixtures))('the content of %s with conditions has only one more member', (_, fixture) => {
  const budget = { ...SINCE, ...fixture.budget, clauses }
  const items = fixture.items.map(item => ({ ...LINE_SINCE, ...item }))
  const { text } = digestContent(budget, items, 'The clinic now')
  const before = fixture.content.indexOf('"clinic":')
  expect(text).toBe(
    `${fixture.content.slice(0, before)}"clauses":[`
    + '{"id":"b","module":"terms","text":"Two\\nlines","title":"Änderung"},{"id":"a","module":"terms","text":"B","title":"A"}'
    + `],${fixture.content.slice(before)}`
  )
})

test('an empty list of conditions does not change the content', () => {
  const { budget, items, content } = fixtures.bare!
  expect(digestContent({ ...SINCE, ...budget, clauses: [] }, items, 'The clinic now').text).toBe(content)
})
