import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filesBelow, importsOf, root } from './support/sources.ts'

const CORE = 'server/core/'

/** The folders of the core are its rooms. The files directly in it count as rooms of their own, by their purpose. */
const FILES: Record<string, readonly string[]> = {
  /** Import no room; every room may import them. */
  'ground floor': [
    'check-names.ts', 'config.ts', 'core-module.ts', 'database-address.ts', 'failure-log.ts', 'fetch-error.ts',
    'load-once.ts', 'log.ts', 'loopback.ts', 'mail-url.ts', 'manifest.ts', 'secrets.ts', 'storage-writable.ts',
    'thread.ts', 'threads.ts', 'trace-context.ts', 'watch-handler.ts'
  ],
  /** What is handed around: imports the ground floor and `db`; every room but `db` may import them. */
  'host': ['clock.ts', 'host.ts', 'permissions.ts', 'types.ts'],
  /** Puts the rooms together; no room may import them. */
  'roof': ['migrate-core.ts', 'open-host.ts', 'restart.ts', 'runtime.ts']
}

interface Arrow { from: string, to: string, file: string }

function roomOf(path: string): string {
  const [first, ...rest] = path.slice(CORE.length).split('/')
  if (rest.length > 0) return first!
  return Object.keys(FILES).find(name => FILES[name]!.includes(first!)) ?? `no floor: ${path}`
}

const arrows: Arrow[] = filesBelow(CORE).flatMap(file =>
  importsOf(file)
    .filter(target => target.startsWith(CORE))
    .map(target => ({ from: roomOf(file), to: roomOf(target), file: `${file} → ${target}` }))
).filter(({ from, to }) => from !== to)

/** The arrows of rooms that reach each other: what is left when no room is without an arrow out of it, or into it. */
function circular(all: Arrow[]): Arrow[] {
  const within = all.filter(({ from, to }) =>
    all.some(arrow => arrow.from === to) && all.some(arrow => arrow.to === from)
  )
  return within.length === all.length ? all : circular(within)
}

/** The rarest first: it is the one to turn round. */
function describe(all: Arrow[]): string[] {
  const groups = Map.groupBy(all, ({ from, to }) => `${from} → ${to}`)
  return [...groups].sort(([, left], [, right]) => left.length - right.length)
    .map(([name, imports]) => `${name} ${imports.length}: ${imports.slice(0, 3).map(({ file }) => file).join(', ')}`)
}

test('each file directly in server/core is on the ground floor, the host\'s or the roof', () => {
  const direct = readdirSync(join(root, CORE), { withFileTypes: true }).filter(entry => entry.isFile())
  expect(direct.map(({ name }) => name).sort()).toEqual(Object.values(FILES).flat().sort())
})

test('no import between two rooms of the core runs both ways, and none comes back through others', () => {
  expect(describe(circular(arrows))).toEqual([])
})

test('the ground floor imports no room, and no room imports the roof', () => {
  expect(arrows.filter(({ from, to }) => from === 'ground floor' || to === 'roof').map(({ file }) => file)).toEqual([])
  expect(arrows.filter(({ from }) => from === 'db').every(({ to }) => to === 'ground floor')).toBe(true)
  expect(arrows.filter(({ from, to }) => from === 'host' && !['ground floor', 'db'].includes(to))).toEqual([])
})
