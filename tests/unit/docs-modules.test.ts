import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const fixture = join(root, 'tests/fixtures/modules/svc-module-recall')

/** A path in bold, then its text as a block. */
const FILE = /^\*\*`([^`]+)`\*\*\n\n```\w+\n([\s\S]*?)^```$/gm

test('docs/modules.md builds the fixture module, file by file', () => {
  const document = readFileSync(join(root, 'docs/modules.md'), 'utf8')
  const shown = Object.fromEntries([...document.matchAll(FILE)].map(([, path, text]) => [path, text]))
  const paths = readdirSync(fixture, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(fixture, join(entry.parentPath, entry.name)))
  expect(shown).toEqual(Object.fromEntries(paths.map(path => [path, readFileSync(join(fixture, path), 'utf8')])))
})
