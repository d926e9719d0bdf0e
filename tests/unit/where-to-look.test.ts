import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/modules/official.ts'

const text = readFileSync(join(root, 'docs/where-to-look.md'), 'utf8')
const top = 'app|build|cli|i18n|layers|packages|server|shared|tests'
const paths = [...text.matchAll(new RegExp(`\`((?:${top})/[^\` ]+)\``, 'g'))].map(([, path]) => path!)

test('docs/where-to-look.md answers with files that exist', () => {
  expect(paths.length).toBeGreaterThan(60)
  const missing = paths.filter(path => globSync(path.replaceAll('[', '[[]'), { cwd: root }).length === 0)
  expect(missing).toEqual([])
})
