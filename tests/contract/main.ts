import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * `npx svc-module-test <folder> …`, or `npm run test:module -- <folder> …` in this checkout, runs the contract tests
 * on packages in any folder. INIT_CWD is the folder where the command was called.
 */
const here = process.env.INIT_CWD ?? process.cwd()
const folders = process.argv.slice(2).map(folder => resolve(here, folder))
const strange = folders.filter(folder => !existsSync(join(folder, 'package.json')))
if (folders.length === 0 || strange.length > 0) {
  process.stderr.write(`${strange.map(folder => `There is no package.json in ${folder}.\n`).join('')}`
    + 'Usage: svc-module-test <folder of the package> …\n')
  process.exit(2)
}
const root = fileURLToPath(new URL('../..', import.meta.url))
prepare()
const tests = spawn(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--project', 'integration', 'tests/contract/modules.test.ts'],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, SVC_TEST_MODULES: folders.join(delimiter) }
  }
)
tests.on('exit', code => process.exit(code ?? 1))

/** The tests read files that `nuxt prepare` writes. An install without scripts leaves them out. */
function prepare() {
  if (existsSync(join(root, '.nuxt/tsconfig.json'))) return
  process.stderr.write('Preparing the checkout, once: nuxt prepare\n')
  const { status, stderr } = spawnSync(
    process.execPath, ['node_modules/nuxt/bin/nuxt.mjs', 'prepare'], { cwd: root, encoding: 'utf8' })
  if (status === 0) return
  process.stderr.write(`${stderr}\nThis failed. Run sh bin/setup in ${root}, then try again.\n`)
  process.exit(1)
}
