import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const namesIn = (file: string) =>
  [
    ...readFileSync(join(import.meta.dirname, '../../../', file), 'utf8').matchAll(
      /'(budget\.[a-z_]+)'(?=[:,\s])/g
    )
  ].map(match => match[1]!)

test('the form of a webhook offers every event that the module publishes', () => {
  const published = namesIn('packages/kit/src/modules/budget-events.ts')
  const offered = namesIn('layers/budget/app/staff.ts').filter(name => published.includes(name))
  expect(offered.sort()).toEqual(published.sort())
  expect(published).toContain('budget.accepted')
})
