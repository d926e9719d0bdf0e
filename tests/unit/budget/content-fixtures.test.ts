import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { digestContent } from '../../../layers/budget/server/services/log/content.ts'
import { root } from '../../support/modules/official.ts'

type Input = Parameters<typeof digestContent>
interface Fixture { budget: Input[0], items: Input[1], content: string, digest: string }

// Made by the release before there were choices and teeth.
const file = join(root, 'tests/fixtures/content/without-choices.json')
const fixtures = JSON.parse(readFileSync(file, 'utf8'), (_, value) =>
  value && typeof value === 'object' && 'bigint' in value ? BigInt(value.bigint) : value
) as Record<string, Fixture>

/** Columns added since; the content of a budget that uses none of them does not mention them. */
const SINCE = {
  choices: null,
  price_from: null,
  price_to: null,
  selection: null,
  tooth_notation: null,
  deciduous: false
}
const LINE_SINCE = { option_id: null, teeth: null, tooth_surfaces: null, area: null, site: null }

test.each(Object.entries(fixtures))('%s: byte for byte the content of the release before', (_, fixture) => {
  const budget = { ...SINCE, ...fixture.budget }
  const items = fixture.items.map(item => ({ ...LINE_SINCE, ...item }))
  const { text, digest } = digestContent(budget, items, 'The clinic now')
  expect(text).toBe(fixture.content)
  expect(digest).toBe(fixture.digest)
})
