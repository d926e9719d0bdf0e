import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { createThreads, type Threads } from '../../server/core/threads.ts'

const WORK = pathToFileURL(resolve(import.meta.dirname, '../fixtures/threads/work.mjs'))
const open: Threads[] = []
afterEach(() => Promise.all(open.splice(0).map(threads => threads.close())))

function someThreads(limits: Parameters<typeof createThreads>[0] = {}) {
  const threads = createThreads({ threads: 1, ...limits })
  open.push(threads)
  return (deed: string, input: object = {}) => threads.run(WORK, { deed, ...input })
}

describe('work in a thread', () => {
  test('takes plain data and returns plain data', async () => {
    const run = someThreads()
    const value = { money: 12n, at: new Date(0), bytes: new Uint8Array([1, 2]), text: 'Peñalver' }
    expect(await run('answer', { value })).toEqual(value)
  })

  test('does not block the process while a processor is busy', async () => {
    const run = someThreads()
    const flag = new SharedArrayBuffer(4)
    const busy = run('until', { flag })
    for (let turn = 0; turn < 1000; turn++) await nextTurn()
    Atomics.store(new Int32Array(flag), 0, 1)
    expect(await busy).toBe('set')
  })

  test('that throws reports its name, message and stack, and the thread keeps running', async () => {
    const run = someThreads()
    const error = await run('fail').catch((thrown: unknown) => thrown) as Error
    expect([error.name, error.message]).toEqual(['RangeError', 'no room'])
    expect(error.stack).toContain('work.mjs')
    expect(await run('answer', { value: 1 })).toBe(1)
  })

  test.each([
    ['ends its thread', 'end', 'The thread ended before its work was done'],
    ['takes too long', 'spin', 'The work was stopped: it took longer than 5 s'],
    ['needs too much memory', 'hoard', 'memory limit']
  ])('that %s fails alone, and waiting work is done in a new thread', async (_, deed, message) => {
    const run = someThreads({ timeout_ms: deed === 'spin' ? 5000 : 60_000, memory_mb: 32 })
    const bad = expect(run(deed)).rejects.toThrow(message)
    const good = Array.from({ length: 3 }, (_, value) => run('answer', { value }))
    await bad
    expect(await Promise.all(good)).toEqual([0, 1, 2])
  })

  test('waits for a free thread, and is refused as busy when too much waits', async () => {
    const run = someThreads({ waiting: 2 })
    const flag = new SharedArrayBuffer(4)
    const waiting = [run('until', { flag }), run('answer', { value: 1 }), run('answer', { value: 2 })]
    await expect(run('answer')).rejects.toMatchObject({ code: 'busy' })
    Atomics.store(new Int32Array(flag), 0, 1)
    expect(await Promise.all(waiting)).toEqual(['set', 1, 2])
  })

  test('from a file that cannot be loaded fails with the reason', async () => {
    const threads = createThreads({ threads: 1 })
    open.push(threads)
    await expect(threads.run(new URL('missing.mjs', WORK), {})).rejects.toThrow('missing.mjs')
    expect(await threads.run(WORK, { deed: 'answer', value: 1 })).toBe(1)
  })

  test('is stopped when the service stops, and waiting work is refused', async () => {
    const threads = createThreads({ threads: 1 })
    const refused = [
      expect(threads.run(WORK, { deed: 'spin' })).rejects.toThrow('closed'),
      expect(threads.run(WORK, { deed: 'answer' })).rejects.toThrow('stopping')
    ]
    await threads.close()
    await Promise.all(refused)
    await expect(threads.run(WORK, { deed: 'answer' })).rejects.toThrow('stopping')
  })

  test('keeps a process alive until it is done, but a thread without work does not', async () => {
    const { href } = pathToFileURL(resolve(import.meta.dirname, '../../server/core/threads.ts'))
    const script = `
      import { createThreads } from ${JSON.stringify(href)}
      console.log(await createThreads().run(new URL(${JSON.stringify(WORK.href)}), { deed: 'answer', value: 'done' }))`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
    expect(stdout).toBe('done\n')
  })
})
