import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/modules/official.ts'

const rows = readFileSync(join(root, 'docs/where-to-look.md'), 'utf8').split('\n').filter(line => line.startsWith('| '))
const PATH = /^(?:app|build|cli|deploy|i18n|layers|packages|server|shared|tests)\//
const NAME = /^[\w.-]+\.(?:ts|vue)$/

const filesOf = (path: string) => globSync(path.replaceAll('[', '[[]'), { cwd: root })

/** Paths from the root. A name without a folder is that of a file beside the path before it. */
function pathsOf(row: string): string[] {
  let folder = ''
  return [...row.matchAll(/`([^` ]+)`/g)].flatMap(([, code]) => {
    if (PATH.test(code!)) {
      folder = dirname(code!)
      return [code!]
    }
    return NAME.test(code!) ? [join(folder, code!)] : []
  })
}

test('docs/where-to-look.md refers only to files that exist', () => {
  const paths = rows.flatMap(pathsOf)
  expect(paths.length).toBeGreaterThan(100)
  expect(paths.filter(path => filesOf(path).length === 0)).toEqual([])
})

test('a name in parentheses occurs in the file before it', () => {
  const named = rows.flatMap(row => [...row.matchAll(/`([^` ]+)` \(`(\w+)`\)/g)])
  expect(named.length).toBeGreaterThan(10)
  const isIn = (path: string, name: string) => new RegExp(`\\b${name}\\b`).test(readFileSync(join(root, path), 'utf8'))
  expect(named.filter(([, path, name]) => !isIn(path!, name!)).map(([text]) => text)).toEqual([])
})
