import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { skeleton } from '../../cli/new-module/skeleton.ts'
import { aFolder } from '../support/cli.ts'
import { root } from '../support/modules/official.ts'

const folder = aFolder()
afterAll(() => folder.remove())

/** As `npm run new:module -- …` from the folder. */
const run = (...words: string[]) =>
  spawnSync(process.execPath, [join(root, 'cli/new-module/main.ts'), ...words], {
    cwd: root,
    env: { PATH: process.env.PATH, INIT_CWD: folder.path },
    encoding: 'utf8'
  })

describe('npm run new:module', () => {
  it('makes the skeleton where it was called, names its files, and does not write over anything', () => {
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

  it('goes into the folder that is named', () => {
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
