import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { skeleton } from '../../build/new-module/skeleton.ts'
import { aFolder } from '../support/cli.ts'
import { root } from '../support/modules/official.ts'

const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { bin: Record<string, string> }
const folder = aFolder()
afterAll(() => folder.remove())

/** Runs `npm run new:module -- …` in the folder. */
const run = (...words: string[]) =>
  spawnSync(process.execPath, [join(root, 'build/new-module/main.ts'), ...words], {
    cwd: root,
    env: { PATH: process.env.PATH, INIT_CWD: folder.path },
    encoding: 'utf8'
  })

describe('npm run new:module', () => {
  it('makes the skeleton in the folder where it was called, names its files, and overwrites nothing', () => {
    const { status, stdout } = run('my_notes')
    expect([status, stdout]).toEqual([
      0,
      expect.stringContaining('svc-module-my-notes is in svc-module-my-notes:\n  package.json\n')
    ])
    const made = join(folder.path, 'svc-module-my-notes')
    for (const [path, text] of Object.entries(skeleton('my_notes')))
      expect(readFileSync(join(made, path), 'utf8'), path).toBe(text)

    const again = run('my_notes')
    expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('not empty')])
  })

  it('makes a module that passes its own tests, and the contract tests that svc-module-test runs there', () => {
    expect(run('tested').status).toBe(0)
    const made = join(folder.path, 'svc-module-tested')
    const own = spawnSync(process.execPath, ['--test'], { cwd: made, encoding: 'utf8' })
    expect([own.status, own.stdout]).toEqual([0, expect.stringContaining('pass 3')])

    // As npm links the command of a checkout that is a dev dependency.
    const command = join(made, 'node_modules/.bin/svc-module-test')
    mkdirSync(join(made, 'node_modules/.bin'), { recursive: true })
    symlinkSync(join(root, bin['svc-module-test']), command)
    const { PATH, HOME, TEST_DATABASE_URL } = process.env // Other variables belong to this test run.
    const env = { PATH, HOME, NO_COLOR: '1', ...(TEST_DATABASE_URL ? { TEST_DATABASE_URL } : {}) }
    const contract = spawnSync(command, ['.'], { cwd: made, encoding: 'utf8', env })
    expect([contract.status, contract.stdout]).toEqual([0, expect.stringMatching(/Tests +\d+ passed \(\d+\)/)])
    expect(contract.stdout).toContain('Test Files  1 passed (1)')
  }, 300_000)

  it('has svc-module-test beside it, which prints its usage, and reports a folder without a package', () => {
    const { status, stderr } = spawnSync(join(root, bin['svc-module-test']), ['nowhere'], { cwd: folder.path, encoding: 'utf8' })
    expect([status, stderr]).toEqual([2, expect.stringMatching(/no package\.json in .*nowhere\.\nUsage: svc-module-test/)])
  })

  it('writes into the folder that it is given', () => {
    expect(run('other', 'somewhere/else').status).toBe(0)
    expect(readdirSync(join(folder.path, 'somewhere/else'))).toContain('package.json')
  })

  it.each([
    ['users', 'reserved'],
    ['My-Notes', 'must match'],
    ['', 'needs a name']
  ])('refuses the name "%s" with exit 2', (name, reason) => {
    const { status, stderr } = run(name)
    expect([status, stderr]).toEqual([2, expect.stringContaining(reason)])
  })
})
