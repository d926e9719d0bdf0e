import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const kit = join(root, 'packages/kit')
const { exports, files } = JSON.parse(readFileSync(join(kit, 'package.json'), 'utf8')) as {
  exports: Record<string, Record<string, string>>
  files: string[]
}
/** Types only, one file for each bundled module. */
const MODULES = './modules/*'
const modules = readdirSync(join(kit, 'src/modules')).map(file => file.replace(/\.ts$/, ''))
const names = Object.keys(exports).filter(path => path !== MODULES).map(path => `@svc/kit${path.slice(1)}`)

/** A folder with the kit's published files and zod in `node_modules`, as a community package has them. */
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-kit-'))
  const installed = join(folder, 'node_modules/@svc/kit')
  mkdirSync(installed, { recursive: true })
  for (const name of ['package.json', ...files]) cpSync(join(kit, name), join(installed, name), { recursive: true })
  symlinkSync(join(root, 'node_modules/zod'), join(folder, 'node_modules/zod'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('plain Node loads every path of the kit from node_modules', () => {
  const program = `for (const name of ${JSON.stringify(names)}) console.log(name, Object.keys(await import(name)).length > 0)`
  writeFileSync(join(folder, 'load.mjs'), program)
  const output = execFileSync(process.execPath, [join(folder, 'load.mjs')], { encoding: 'utf8' })
  expect(output.trim().split('\n')).toEqual(names.map(name => `${name} true`))
})

test('every path of the kit has a source, types and compiled code', () => {
  const files = Object.entries(exports).flatMap(([path, conditions]) =>
    (path === MODULES ? modules : ['']).flatMap(name =>
      Object.values(conditions).map(file => file.replace('*', name))))
  expect(files.filter(file => !existsSync(join(kit, file)))).toEqual([])
})
