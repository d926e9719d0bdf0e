import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { discover } from '../../../server/core/modules/discover.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-discover-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const found = () => discover({ root, storage: join(root, 'storage') })

function put(folder: string, svc: object | null, text?: string) {
  mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(
    join(root, folder, 'package.json'),
    text ?? JSON.stringify({ name: folder, version: '1.0.0', description: 'Words.', ...(svc ? { svc } : {}) })
  )
}

test('official modules are found in layers, community modules in both node_modules, also in scopes', async () => {
  put('layers/clinical', { name: 'clinical', category: 'official' })
  put('node_modules/svc-module-recall', { name: 'recall' })
  put('node_modules/@dent/x-ray', { name: 'xray' })
  put('storage/modules/node_modules/svc-module-lab', { name: 'lab' })
  put('node_modules/zod', null)
  expect((await found()).map(({ name, bundled, error }) => ({ name, bundled, error }))).toEqual([
    { name: 'clinical', bundled: true, error: null },
    { name: 'lab', bundled: false, error: null },
    { name: 'recall', bundled: false, error: null },
    { name: 'xray', bundled: false, error: null }
  ])
})

test('a missing folder does not count as a module', async () => {
  expect(await found()).toEqual([])
})

test('a long manifest is read completely, and the next one separately', async () => {
  put(
    'node_modules/a-long',
    null,
    JSON.stringify({ name: 'a-long', version: '1.0.0', description: 'x'.repeat(300_000), svc: { name: 'long' } })
  )
  put('node_modules/b-short', { name: 'short' })
  put('node_modules/c-none', null)
  expect((await found()).map(({ name, summary, error }) => [name, summary.length, error])).toEqual([
    ['long', 300_000, null],
    ['short', 'Words.'.length, null]
  ])
})

test('none of many packages is missed, even when two searches run at once', async () => {
  for (let n = 100; n < 260; n++) put(`node_modules/p${n}`, n % 10 === 0 ? { name: `m${n}` } : null)
  const [one, other] = await Promise.all([found(), found()])
  expect(one.map(({ name }) => name)).toEqual(Array.from({ length: 16 }, (_, n) => `m${100 + n * 10}`))
  expect(other).toEqual(one)
})

test('a broken manifest is listed with an error and its name', async () => {
  put('node_modules/svc-module-recall', { name: 'recall', depends: 'clinical' })
  put('node_modules/svc-module-lab', null, '{"name": "svc-module-lab", "svc": {"name": "lab", ')
  expect(await found()).toMatchObject([
    { name: 'lab', manifest: null, error: expect.stringContaining('package.json') },
    { name: 'recall', manifest: null, error: expect.stringContaining('svc.depends') }
  ])
})

test('the first of two packages with the same module name is used and the other is an error', async () => {
  put('layers/clinical', { name: 'clinical', category: 'official' })
  put('node_modules/svc-module-fake', { name: 'clinical' })
  expect(await found()).toMatchObject([
    { name: 'clinical', bundled: true, error: null },
    { name: 'svc-module-fake', manifest: null, error: expect.stringContaining('already taken') }
  ])
})

test('a broken package never takes the name of a module, in any order', async () => {
  put('layers/clinical', { name: 'clinical', category: 'official' })
  put('node_modules/clinical', { category: 'community' })
  put('node_modules/recall', { name: 'clinical' })
  put('node_modules/svc-module-recall', { name: 'recall' })
  expect((await found()).map(({ name, folder, error }) => [name, folder, error !== null])).toEqual([
    [join(root, 'node_modules/clinical'), join(root, 'node_modules/clinical'), true],
    [join(root, 'node_modules/recall'), join(root, 'node_modules/recall'), true],
    ['clinical', join(root, 'layers/clinical'), false],
    ['recall', join(root, 'node_modules/svc-module-recall'), false]
  ])
})

test('an unreadable package.json is an error of that package only', async () => {
  mkdirSync(join(root, 'node_modules/svc-module-recall/package.json'), { recursive: true })
  put('layers/clinical', { name: 'clinical', category: 'official' })
  expect(await found()).toMatchObject([
    { name: 'clinical', error: null },
    { name: 'svc-module-recall', error: expect.stringContaining('EISDIR') }
  ])
})

test('a missing migrations folder is an error, not a module without tables', async () => {
  put('node_modules/svc-module-recall', { name: 'recall', migrations: 'migrations' })
  expect(await found()).toMatchObject([
    { name: 'recall', manifest: null, error: 'svc.migrations: the package has no folder "migrations"' }
  ])
  put('node_modules/svc-module-recall', { name: 'recall', migrations: 'm'.repeat(5000) })
  expect(await found()).toMatchObject([{ name: 'recall', error: expect.stringContaining('svc.migrations') }])
})

test('a package cannot declare itself official', async () => {
  put('node_modules/svc-module-recall', { name: 'recall', category: 'official' })
  expect(await found()).toMatchObject([{ name: 'recall', manifest: null, error: expect.stringContaining('official') }])
})

test('packages of our own workspace are not community modules, but linked packages from elsewhere are', async () => {
  put('packages/kit', { name: 'kit' })
  put('elsewhere/recall', { name: 'recall' })
  mkdirSync(join(root, 'node_modules'))
  symlinkSync(join(root, 'packages/kit'), join(root, 'node_modules/kit'))
  symlinkSync(join(root, 'elsewhere/recall'), join(root, 'node_modules/recall'))
  symlinkSync(join(root, 'nowhere'), join(root, 'node_modules/dangling'))
  expect((await found()).map(({ name }) => name)).toEqual(['recall'])
})

test('a package whose svc field is not an object is listed with a broken manifest', async () => {
  for (const [index, svc] of ['recall', 7, null, ['recall'], true].entries()) {
    put(`node_modules/svc-module-${index}`, null, JSON.stringify({ name: 'x', version: '1.0.0', svc }))
  }
  put('node_modules/other', null, JSON.stringify({ name: 'other', version: '1.0.0', keywords: ['svc'] }))
  expect((await found()).map(({ name, manifest, error }) => [name, manifest, error])).toEqual(
    [0, 1, 2, 3, 4].map(index => [
      `svc-module-${index}`,
      null,
      expect.stringContaining('svc: must be an object')
    ])
  )
})
