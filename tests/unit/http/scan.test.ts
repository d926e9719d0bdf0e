import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { scan } from '../../../server/core/http/scan.ts'

let folder: string
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function withFiles(...files: string[]) {
  folder = mkdtempSync(join(tmpdir(), 'svc-scan-'))
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), '')
  }
  return folder
}

test('method and path of an endpoint are derived from the file name', () => {
  const found = scan(
    withFiles(
      'budgets/[id]/send.post.ts',
      'budgets/index.get.ts',
      'budgets/[id].get.js',
      'openapi.json.get.ts',
      'index.get.mjs',
      'modules/-/active.get.ts'
    )
  )
  expect(found.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'get /api/v1/budgets/:id',
    'post /api/v1/budgets/:id/send',
    'get /api/v1/budgets',
    'get /api/v1',
    'get /api/v1/modules/-/active',
    'get /api/v1/openapi.json'
  ])
  expect(found[1]!.file).toBe(join(folder, 'budgets/[id]/send.post.ts'))
})

test('the scan ignores catch-all files, names that begin with _ and files without code', () => {
  expect(scan(withFiles('[...].ts', 'notes/_shared.ts', '_helpers/x.ts', 'README.md'))).toEqual([])
})

test('a missing folder has no endpoints', () => {
  expect(scan(join(withFiles(), 'server/api/v1'))).toEqual([])
})

test('a file name without a method is reported as an error', () => {
  expect(() => scan(withFiles('notes.js'))).toThrow(
    'notes.js: the name of an endpoint\'s file ends with its method, such as notes.get.js'
  )
})
