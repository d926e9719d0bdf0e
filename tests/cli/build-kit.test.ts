import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { cleanEnv } from '../support/cli.ts'
import { root } from '../support/modules/official.ts'

/** A copy of the product whose kit has two small source files. */
let folder: string
const kit = (path: string) => join(folder, 'packages/kit', path)
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-kit-'))
  cpSync(join(root, 'bin/build-kit'), join(folder, 'bin/build-kit'))
  mkdirSync(kit('src/values'), { recursive: true })
  cpSync(join(root, 'packages/kit/tsconfig.json'), kit('tsconfig.json'))
  writeFileSync(kit('package.json'), '{ "type": "module" }')
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(kit('src/index.ts'), 'export { one } from \'./values/one.ts\'\n')
  writeFileSync(kit('src/values/one.ts'), 'export const one: number = 1\n')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const compile = () => spawnSync('sh', [join(folder, 'bin/build-kit')], { env: cleanEnv({}), encoding: 'utf8' })
/** Makes the edit newer than the last compilation, even if the clock of the file system is coarse. */
function edit(path: string, text: string): void {
  writeFileSync(kit(path), text)
  utimesSync(kit(path), new Date(), new Date(Date.now() + 5000))
}

test('bin/build-kit compiles the sources, and again only if one is newer', () => {
  expect(compile().status).toBe(0)
  expect(readFileSync(kit('dist/index.js'), 'utf8')).toContain('./values/one.js')
  expect(existsSync(kit('dist/values/one.d.ts'))).toBe(true)

  writeFileSync(kit('dist/index.js'), 'kept')
  expect(compile().status).toBe(0)
  expect(readFileSync(kit('dist/index.js'), 'utf8')).toBe('kept')

  edit('src/index.ts', 'export const two = 2\n')
  expect(compile().status).toBe(0)
  expect(readFileSync(kit('dist/index.js'), 'utf8')).toContain('two')
})

test('bin/build-kit removes compiled files whose sources no longer exist', () => {
  expect(compile().status).toBe(0)
  rmSync(kit('src/values/one.ts'))
  edit('src/index.ts', 'export const two = 2\n')
  expect(compile().status).toBe(0)
  expect(existsSync(kit('dist/values/one.js'))).toBe(false)
})

test('bin/build-kit keeps the compiled kit if a source can\'t be compiled', () => {
  expect(compile().status).toBe(0)
  edit('src/values/one.ts', 'export const one: number = (\n')
  const { status, stderr } = compile()
  expect([status === 0, stderr.includes('one.ts')]).toEqual([false, true])
  expect(readFileSync(kit('dist/values/one.js'), 'utf8')).toContain('one = 1')
})
