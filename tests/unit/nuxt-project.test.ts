import { expect, test } from 'vitest'
import { isWanted } from '../support/nuxt-project.ts'

test.each([
  [['run'], true],
  [['run', '--project', 'nuxt'], true],
  [['run', '--project=nuxt', '--project=unit'], true],
  [['run', '--project', '!e2e'], true],
  [['run', 'tests/nuxt'], true],
  [['run', 'action-button'], true],
  [['run', '--reporter=default', '--reporter=json', '--outputFile.json=result.json'], true],
  [['run', '--project', 'unit'], false],
  [['run', '--project', '!nuxt'], false],
  [['run', '--project', 'integration', 'tests/contract', 'boot'], false],
  [['run', 'tests/unit/budget/pricing.test.ts'], false]
])('vitest %j starts the Nuxt project: %s', (argv, wanted) => {
  expect(isWanted(argv)).toBe(wanted)
})
