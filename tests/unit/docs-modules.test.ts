import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** A path in bold, followed by its text as a block. */
const FILE = /^\*\*`([^`]+)`\*\*\n\n```\w+\n([\s\S]*?)^```$/gm

test.each([
  [['manifest', 'data', 'entry', 'endpoints', 'pages'], 'tests/fixtures/modules/svc-module-recall'],
  [['types'], 'tests/fixtures/types'] // part of tsconfig.tools.json
])('docs/modules/%s.md contains the files of %s unchanged', (pages, folder) => {
  const fixture = join(root, folder)
  const document = pages.map(page => readFileSync(join(root, `docs/modules/${page}.md`), 'utf8')).join('\n')
  const shown = Object.fromEntries([...document.matchAll(FILE)].map(([, path, text]) => [path, text]))
  const paths = readdirSync(fixture, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(fixture, join(entry.parentPath, entry.name)))
  expect(shown).toEqual(Object.fromEntries(paths.map(path => [path, readFileSync(join(fixture, path), 'utf8')])))
})
