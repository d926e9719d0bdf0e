import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { removeUnfinished } from '../../server/core/files/remove-unfinished.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-unfinished-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function aFile(name: string, hours: number) {
  const file = join(folder, 'clinic/budget', name)
  mkdirSync(join(folder, 'clinic/budget'), { recursive: true })
  writeFileSync(file, 'bytes')
  const at = new Date(Date.now() - hours * 3_600_000)
  utimesSync(file, at, at)
}

test('files that a killed process left incomplete are removed when they are old, but documents never', async () => {
  aFile('aa.pdf.0123456789ab.tmp', 2)
  aFile('bb.pdf.0123456789ab.tmp', 0.5)
  aFile('aa.pdf', 5000)
  expect(await removeUnfinished(folder)).toBe(1)
  expect(readdirSync(join(folder, 'clinic/budget')).sort()).toEqual(['aa.pdf', 'bb.pdf.0123456789ab.tmp'])
  expect(await removeUnfinished(folder)).toBe(0)
})

test('all old uploads are removed, whatever a network folder calls them', async () => {
  aFile('.nfs000000000000a1b2', 2)
  aFile('.nfs000000000000a1b3', 0.5)
  expect(await removeUnfinished(folder, () => true)).toBe(1)
  expect(readdirSync(join(folder, 'clinic/budget'))).toEqual(['.nfs000000000000a1b3'])
})

test('nothing is removed before the first document exists', async () => {
  expect(await removeUnfinished(join(folder, 'documents'))).toBe(0)
})
