import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { buildAside, builtFrom, isBuilt, noteRunning, serverEntry } from '../../../cli/build/aside.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-aside-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** A build command that writes a server. */
const writing = (text: string) => async (folder: string) => {
  mkdirSync(join(folder, 'server'), { recursive: true })
  writeFileSync(join(folder, 'server/index.mjs'), text)
}
const server = () => readFileSync(serverEntry(root), 'utf8')
const builds = () => readdirSync(join(root, '.output/builds'))

test('a start during a build uses the complete previous build', async () => {
  await buildAside(root, 'one', writing('first'))
  await buildAside(root, 'two', async (folder) => {
    await writing('half')(folder)
    expect([isBuilt(root), server(), builtFrom(root)]).toEqual([true, 'first', 'one'])
    await writing('second')(folder)
  })
  expect([server(), builtFrom(root)]).toEqual(['second', 'two'])
})

test('a failed build leaves the previous build in place and removes its own files', async () => {
  await buildAside(root, 'one', writing('first'))
  await expect(buildAside(root, 'two', async (folder) => {
    await writing('half')(folder)
    throw new Error('no room')
  })).rejects.toThrow('no room')
  expect([server(), builtFrom(root), builds().length]).toEqual(['first', 'one', 1])
})

describe('a replaced build', () => {
  const folders = () => builds().map(name => join(root, '.output/builds', name))
  /** Pretends that it was replaced that long ago. */
  const since = (folder: string, hours: number) =>
    utimesSync(folder, new Date(Date.now() - hours * 3_600_000), new Date(Date.now() - hours * 3_600_000))
  let first: string
  beforeEach(async () => {
    await buildAside(root, 'one', writing('first'))
    first = folders()[0]!
  })

  test('is kept for a day, however many builds follow', async () => {
    since(first, 1000) // made long ago
    for (const stamp of ['two', 'three', 'four']) await buildAside(root, stamp, writing(stamp))
    expect([existsSync(first), server()]).toEqual([true, 'four'])
    since(first, 25)
    await buildAside(root, 'five', writing('fifth'))
    expect([existsSync(first), builds().length]).toEqual([false, 4])
  })

  test('is kept while a process runs it', async () => {
    noteRunning(root, process.pid)
    for (const stamp of ['two', 'three']) {
      await buildAside(root, stamp, writing(stamp))
      since(first, 25)
    }
    expect(existsSync(first)).toBe(true)
    const ended = spawnSync(process.execPath, ['-e', '']).pid
    renameSync(join(first, `running.${process.pid}`), join(first, `running.${ended}`))
    since(first, 25)
    await buildAside(root, 'four', writing('fourth'))
    expect(existsSync(first)).toBe(false)
  })

  test('is not kept when it was killed before it was complete', async () => {
    mkdirSync(join(root, '.output/builds/killed'))
    await buildAside(root, 'two', writing('second'))
    expect(builds()).toHaveLength(2)
  })
})

test('the build of a release that built in place is replaced', async () => {
  await writing('of an earlier release')(join(root, '.output'))
  await buildAside(root, 'one', writing('first'))
  expect(server()).toBe('first')
})
