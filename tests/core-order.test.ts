import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesBelow, importsOf, root } from './support/sources.ts'

const CORE = 'server/core/'

/** The files directly in `server/core` are of three kinds. Each kind has its place in the order of the folders. */
const FILES: Record<string, readonly string[]> = {
  /** They import no folder, and every folder may import them. */
  'first files': [
    'check-names.ts', 'config.ts', 'core-module.ts', 'database-address.ts', 'failure-log.ts', 'fetch-error.ts',
    'load-once.ts', 'log.ts', 'loopback.ts', 'mail-url.ts', 'manifest.ts', 'secrets.ts', 'storage-writable.ts',
    'thread.ts', 'threads.ts', 'trace-context.ts', 'watch-handler.ts'
  ],
  /** They import the first files and `db`, and every folder except `db` may import them. */
  'host files': ['clock.ts', 'host.ts', 'permissions.ts', 'types.ts'],
  /** They start and stop the service, and no folder may import them. */
  'last files': ['migrate-core.ts', 'open-host.ts', 'restart.ts', 'runtime.ts']
}

/** An import between two folders or kinds of files. */
interface Import { from: string, to: string, file: string }

function placeOf(path: string): string {
  const [first, ...rest] = path.slice(CORE.length).split('/')
  if (rest.length > 0) return first!
  return Object.keys(FILES).find(name => FILES[name]!.includes(first!)) ?? `unknown: ${path}`
}

const imports: Import[] = filesBelow(CORE).flatMap(file =>
  importsOf(file)
    .filter(target => target.startsWith(CORE))
    .map(target => ({ from: placeOf(file), to: placeOf(target), file: `${file} → ${target}` }))
).filter(({ from, to }) => from !== to)

/** The imports that form circles. Imports to a folder without imports, or from one without importers, are removed. */
function circular(all: Import[]): Import[] {
  const within = all.filter(({ from, to }) =>
    all.some(other => other.from === to) && all.some(other => other.to === from)
  )
  return within.length === all.length ? all : circular(within)
}

/** The fewest imports first, because they are the easiest to reverse. */
function describe(all: Import[]): string[] {
  const groups = Map.groupBy(all, ({ from, to }) => `${from} → ${to}`)
  return [...groups].sort(([, left], [, right]) => left.length - right.length)
    .map(([name, group]) => `${name} ${group.length}: ${group.slice(0, 3).map(({ file }) => file).join(', ')}`)
}

test('each file directly in server/core is of one of the three kinds', () => {
  const direct = readdirSync(join(root, CORE), { withFileTypes: true }).filter(entry => entry.isFile())
  expect(direct.map(({ name }) => name).sort()).toEqual(Object.values(FILES).flat().sort())
})

test('no two folders of the core import each other, either directly or through others', () => {
  expect(describe(circular(imports))).toEqual([])
})

test('the first files import no folder, and no folder imports the last files', () => {
  const wrong = imports.filter(({ from, to }) => from === 'first files' || to === 'last files')
  expect(wrong.map(({ file }) => file)).toEqual([])
  expect(imports.filter(({ from }) => from === 'db').every(({ to }) => to === 'first files')).toBe(true)
  expect(imports.filter(({ from, to }) => from === 'host files' && !['first files', 'db'].includes(to))).toEqual([])
})
