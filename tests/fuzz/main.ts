import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/** npm run fuzz -- --minutes 60 [--seed 7] [--only "/public/"]: another seed each time unless it is named. */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string' },
    only: { type: 'string', default: '' }
  }
})
const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 31))
process.stderr.write(`fuzzing for ${values.minutes} minutes; the same again: --seed ${seed}\n`)
const root = fileURLToPath(new URL('../..', import.meta.url))
const tests = spawn(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', 'tests/integration/http/fuzz.test.ts'],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, FUZZ_MINUTES: values.minutes, FUZZ_SEED: seed, FUZZ_ONLY: values.only }
  }
)
tests.on('exit', code => process.exit(code ?? 1))
