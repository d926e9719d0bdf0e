import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { aFolder, cleanEnv, freePort, svc, textOf, until } from '../support/cli.ts'
import { root } from '../support/modules/official.ts'

/** Runs `svc start` with a stand-in for the built server. */
interface Started {
  supervisor: ChildProcess
  url: string
  /** The pid of the server that answers. */
  pid(): Promise<number>
  stderr(): string
  ended: Promise<number | null>
}

const folder = aFolder()
const started: ChildProcess[] = []
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
})
afterAll(() => folder.remove())

function prepare() {
  mkdirSync(join(folder.path, '.output/server'), { recursive: true })
  copyFileSync(join(root, 'tests/fixtures/supervised-server.mjs'), join(folder.path, '.output/server/index.mjs'))
}

function spawnStart(port: number) {
  const supervisor = spawn(join(root, 'bin/svc'), ['start'], {
    env: cleanEnv({ SVC_ROOT: folder.path, PORT: String(port) }),
    stdio: ['ignore', 'ignore', 'pipe']
  })
  started.push(supervisor)
  return { supervisor, url: `http://127.0.0.1:${port}`, stderr: textOf(supervisor.stderr!) }
}

async function start(): Promise<Started> {
  prepare()
  const { supervisor, url, stderr } = spawnStart(await freePort())
  const ended = once(supervisor, 'exit').then(([code]) => code as number | null)
  await until(() => answer(url))
  return { supervisor, url, ended, stderr, pid: async () => (await answer(url))!.pid }
}

const answer = (url: string) =>
  fetch(url).then(
    response => response.json() as Promise<{ pid: number, mode: string }>,
    () => null
  )
const instance = () => JSON.parse(readFileSync(join(folder.path, 'storage/run/instance.json'), 'utf8'))

describe('svc start', () => {
  it('runs the built server in production mode and prints its address', async () => {
    const { url, supervisor } = await start()
    const { pid, mode } = (await answer(url))!
    expect(mode).toBe('production')
    expect(instance()).toEqual({ pid: supervisor.pid, server_pid: pid, url })
  })

  it('fails no request during a restart, which is SIGTERM to the server', async () => {
    const it = await start()
    let going = true
    const failures: unknown[] = []
    const pids = new Set<number>()
    const clients = Array.from({ length: 8 }, async () => {
      while (going)
        await fetch(it.url).then(
          async response => pids.add(((await response.json()) as { pid: number }).pid),
          error => failures.push(error)
        )
    })
    for (let restarts = 0; restarts < 3; restarts++) {
      const old = await it.pid()
      await until(async () => pids.has(old)) // The clients have reached this server too.
      process.kill(old, 'SIGTERM')
      await until(async () => await it.pid() !== old)
    }
    const last = await it.pid()
    await until(async () => pids.has(last))
    going = false
    await Promise.all(clients)
    expect(failures).toEqual([])
    expect(pids.size).toBe(4)
  })

  it('lets svc modules restart end when the next server is ready', async () => {
    const it = await start()
    const old = await it.pid()
    const { code, stdout } = await svc(['modules', 'restart', '--json'], { env: { SVC_ROOT: folder.path } })
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { running: true, how: 'supervised', restarted: true }])
    expect(await it.pid()).not.toBe(old)
  })

  it('restarts the server after exit code 0 and, with a message and a pause, after a crash', async () => {
    const it = await start()
    const first = await it.pid()
    await answer(`${it.url}/exit-0`)
    const second = await until(async () => (await answer(it.url))?.pid)
    expect(second).not.toBe(first)
    process.kill(second, 'SIGKILL')
    expect(await until(async () => (await answer(it.url))?.pid)).not.toBe(second)
    expect(it.stderr()).toContain('Server exited (SIGKILL). Restarting in 0.25 s.')
  })

  it.each([1, 78])('ends with exit code %i when the server does', async (code) => {
    const it = await start()
    await answer(`${it.url}/exit-${code}`)
    expect(await it.ended).toBe(code)
    expect(existsSync(join(folder.path, 'storage/run/instance.json'))).toBe(false)
  })

  it.each([
    { signal: 'SIGTERM', code: 0 },
    { signal: 'SIGINT', code: 130 }
  ] as const)('drains and ends with exit code $code on $signal', async ({ signal, code }) => {
    const it = await start()
    const pid = await it.pid()
    it.supervisor.kill(signal)
    expect(await it.ended).toBe(code)
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  it('refuses to run a second time on the same storage, because the first record would be hidden', async () => {
    const { url, supervisor } = await start()
    const { code, stderr } = await svc(['start'], { env: { SVC_ROOT: folder.path, PORT: String(await freePort()) } })
    expect(code).toBe(78)
    expect(stderr).toContain(`The instance runs already on ${url}.`)
    expect(instance().pid).toBe(supervisor.pid)
  })

  it('runs once when called several times at once: the others end with a sentence and exit code 78', async () => {
    prepare()
    const children = await Promise.all(Array.from({ length: 4 }, async () => spawnStart(await freePort())))
    const exits: { code: number | null, stderr: string }[] = []
    for (const { supervisor, stderr } of children)
      supervisor.on('close', code => exits.push({ code, stderr: stderr() }))
    await until(async () => exits.length === 3)
    const [winner] = children.filter(({ supervisor }) => supervisor.exitCode === null)
    await until(() => answer(winner!.url))
    expect(instance()).toMatchObject({ pid: winner!.supervisor.pid, url: winner!.url })
    for (const { code, stderr } of exits) {
      expect(code).toBe(78)
      expect(stderr).toMatch(/^\S* ?The instance (?:is being started already|runs already on \S+)\.\n/)
    }
  })

  it('starts again on the folder of a start that was killed', async () => {
    const first = await start()
    const server = await first.pid()
    first.supervisor.kill('SIGKILL')
    await first.ended
    process.kill(server, 'SIGKILL')
    const next = await start()
    expect(instance()).toMatchObject({ pid: next.supervisor.pid, url: next.url })
  })

  it.each([
    ['belongs to the system', () => '/sys/svc'],
    ['is below a file', () => join(root, 'package.json/storage')]
  ])('ends with one sentence and exit code 78 if its storage %s', async (_, storage) => {
    prepare()
    const { code, stderr } = await svc(['start'], { env: { SVC_ROOT: folder.path, SVC_STORAGE: storage() } })
    expect(code).toBe(78)
    expect(stderr).toContain('SVC_STORAGE cannot be written')
    expect(stderr).toContain(storage())
    expect(stderr).not.toMatch(/^ +at /m)
  })

  it('explains how to get a built server if there is none', async () => {
    const empty = aFolder()
    const { code, stderr } = await svc(['start'], { env: { SVC_ROOT: empty.path } })
    expect(code).toBe(1)
    expect(stderr).toContain('npm run build')
    empty.remove()
  })
})

describe('svc up', () => {
  it('finds the running instance, prints its address and ends with exit code 0', async () => {
    const { url } = await start()
    const { code, stdout, stderr } = await svc(['up', '--json'], {
      env: { SVC_ROOT: folder.path, PORT: new URL(url).port }
    })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ url: `http://localhost:${new URL(url).port}`, demo: null })
    expect(stderr).toContain('The instance runs already.')
  })

  it('names a port that another program uses, before it builds', async () => {
    const empty = aFolder()
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { code, stderr } = await svc(['up'], { env: { SVC_ROOT: empty.path, PORT: String(port) } })
    expect(code).toBe(1)
    expect(stderr).toContain(`Port ${port} is taken by another program.`)
    other.close()
    empty.remove()
  })
})
