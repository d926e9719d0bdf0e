import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildAside, builtFrom, isBuilt, serverEntry } from '../../../cli/build/aside.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-aside-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** A builder that writes a server. */
const writing = (text: string) => async (folder: string) => {
  mkdirSync(join(folder, 'server'), { recursive: true })
  writeFileSync(join(folder, 'server/index.mjs'), text)
}
const server = () => readFileSync(serverEntry(root), 'utf8')
const builds = () => readdirSync(join(root, '.output/builds'))

test('a start while a build runs finds the build before, whole', async () => {
  await buildAside(root, 'one', writing('first'))
  await buildAside(root, 'two', async (folder) => {
    await writing('half')(folder)
    expect([isBuilt(root), server(), builtFrom(root)]).toEqual([true, 'first', 'one'])
    await writing('second')(folder)
  })
  expect([server(), builtFrom(root)]).toEqual(['second', 'two'])
})

test('a build that fails leaves the one before, and nothing of itself', async () => {
  await buildAside(root, 'one', writing('first'))
  await expect(buildAside(root, 'two', async (folder) => {
    await writing('half')(folder)
    throw new Error('no room')
  })).rejects.toThrow('no room')
  expect([server(), builtFrom(root), builds().length]).toEqual(['first', 'one', 1])
})

test('the build before stays for a server that runs, older ones and what a killed build left do not', async () => {
  await buildAside(root, 'one', writing('first'))
  const running = join(root, '.output/builds', builds()[0]!, 'server/index.mjs')
  mkdirSync(join(root, '.output/builds/killed'))
  await buildAside(root, 'two', writing('second'))
  expect([existsSync(running), builds().length]).toEqual([true, 2])
  await buildAside(root, 'three', writing('third'))
  expect([existsSync(running), builds().length, server()]).toEqual([false, 2, 'third'])
})

test('a build of a release that built in place is replaced', async () => {
  await writing('of an earlier release')(join(root, '.output'))
  await buildAside(root, 'one', writing('first'))
  expect(server()).toBe('first')
})
