import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cleanEnv, textOf, until } from '../support/cli.ts'
import { root } from '../support/modules/official.ts'

/**
 * A folder with the product's setup script, a compiled kit, a lockfile, and an npm that waits for a signal before it
 * installs.
 */
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-setup-'))
  for (const name of ['setup', 'svc', 'build-kit']) cpSync(join(root, 'bin', name), join(folder, 'bin', name))
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ packages: { '': {}, 'node_modules/x': { version: '1.0.0' } } })
  )
  mkdirSync(join(folder, 'packages/kit/src'), { recursive: true })
  writeFileSync(join(folder, 'packages/kit/tsconfig.json'), '{}')
  mkdirSync(join(folder, 'packages/kit/dist'))
  writeFileSync(join(folder, 'packages/kit/dist/.built'), '')
  mkdirSync(join(folder, 'tools'))
  spawnSync('mkfifo', [join(folder, 'word')])
  writeFileSync(join(folder, 'tools/npm'), `#!/bin/sh
    echo run >>runs
    mkdir busy || exit 1
    cat word >/dev/null
    mkdir -p node_modules/.bin
    cp package-lock.json node_modules/.package-lock.json
    : >node_modules/.bin/node
    rmdir busy\n`)
  chmodSync(join(folder, 'tools/npm'), 0o755)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** All commands that the setup script needs on a machine without flock. */
function withoutFlock() {
  for (const tool of [
    'sh',
    'node',
    'cksum',
    'find',
    'cat',
    'mkdir',
    'rmdir',
    'ln',
    'cp',
    'readlink',
    'ps',
    'grep',
    'rm',
    'mv',
    'sleep',
    'dirname'
  ]) {
    symlinkSync(
      spawnSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).stdout.trim(),
      join(folder, 'tools', tool)
    )
  }
  return join(folder, 'tools')
}

function setUp(path: string) {
  const child = spawn('/bin/sh', [join(folder, 'bin/setup')], {
    env: cleanEnv({ PATH: path }),
    stdio: ['ignore', 'ignore', 'pipe']
  })
  const stderr = textOf(child.stderr)
  return { child, stderr, ended: new Promise(resolve => child.on('close', resolve)) }
}
const runs = () => readFileSync(join(folder, 'runs'), 'utf8').trim().split('\n').length
const sayTheWord = () => writeFileSync(join(folder, 'word'), 'go')

describe.each([
  ['with flock', () => join(folder, 'tools') + delimiter + process.env.PATH],
  ['without flock', withoutFlock]
])('bin/setup %s', (_name, pathOf) => {
  it('waits for another setup that is installing, and then has nothing to do', async () => {
    const path = pathOf()
    const first = setUp(path)
    await until(async () => existsSync(join(folder, 'busy')))
    const second = setUp(path)
    await until(async () => second.stderr().includes('Another set-up is running here'))
    sayTheWord()
    expect([await first.ended, await second.ended, runs()]).toEqual([0, 0, 1])
  })

  it('is not blocked by a lock that a killed process left behind', async () => {
    const path = pathOf()
    const killed = setUp(path)
    await until(async () => existsSync(join(folder, 'busy')))
    killed.child.kill('SIGKILL')
    sayTheWord() // The npm of the killed setup ends.
    await killed.ended
    await until(async () => !existsSync(join(folder, 'busy')))
    rmSync(join(folder, 'node_modules'), { recursive: true, force: true })
    const next = setUp(path)
    await until(async () => existsSync(join(folder, 'busy')))
    sayTheWord()
    expect([await next.ended, runs()]).toEqual([0, 2])
  })
})

describe('bin/svc without dependencies', () => {
  const svc = (...words: string[]) =>
    spawnSync(join(folder, 'bin/svc'), words, {
      env: cleanEnv({ PATH: `${join(folder, 'tools')}${delimiter}${process.env.PATH}` }),
      encoding: 'utf8'
    })

  it('installs only for the command up; for any other it prints what to run', () => {
    const { status, stdout, stderr } = svc('start')
    expect([status, stdout, stderr]).toEqual([1, '', 'The dependencies are not installed.\n  sh bin/setup --build\n'])
    expect(JSON.parse(svc('modules', 'list', '--json').stdout)).toEqual({
      error: { code: 'not_installed', message: 'The dependencies are not installed.', hint: 'sh bin/setup --build' }
    })
    expect(existsSync(join(folder, 'runs'))).toBe(false)
  })
})
