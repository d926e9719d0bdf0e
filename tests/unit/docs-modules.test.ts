import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** A path in bold, then its text as a block. */
const FILE = /^\*\*`([^`]+)`\*\*\n\n```\w+\n([\s\S]*?)^```$/gm

test.each([
  ['docs/modules.md', 'tests/fixtures/modules/svc-module-recall'],
  ['docs/modules-types.md', 'tests/fixtures/types'] // part of tsconfig.tools.json
])('%s shows %s, file by file', (page, folder) => {
  const fixture = join(root, folder)
  const document = readFileSync(join(root, page), 'utf8')
  const shown = Object.fromEntries([...document.matchAll(FILE)].map(([, path, text]) => [path, text]))
  const paths = readdirSync(fixture, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(fixture, join(entry.parentPath, entry.name)))
  expect(shown).toEqual(Object.fromEntries(paths.map(path => [path, readFileSync(join(fixture, path), 'utf8')])))
})
