import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { delimiter, join } from 'node:path'

/**
 * `npm run test:quick`: types, lint, all unit and component tests and one file of each other kind, in about three
 * minutes on two cores. For the time between two changes; `npm test` is the proof. What fails is printed at the end.
 */
const root = fileURLToPath(new URL('../..', import.meta.url))
const bin = (name: string) => join(root, 'node_modules/.bin', name)

/** One of each kind that needs more than a component: the patient's way wherever it fits. */
const FILES = [
  'tests/integration/budget/budget-decide.test.ts',
  'tests/contract/modules.test.ts',
  'tests/proof/seal.test.ts',
  'tests/cli/usage.test.ts',
  'tests/e2e/patient/patient-whole-way.test.ts'
]

interface Step { name: string, command: string, args: string[], env?: Record<string, string>, after?: string }
interface Outcome { name: string, seconds: number, code: number, output: string }

const TESTS_ENV = { SVC_TEST_MODULES: join(root, 'tests/fixtures/modules/svc-module-recall') }
const cache = (name: string) => join('node_modules/.cache', name)

const PREPARE: Step = { name: 'prepare', command: bin('nuxt'), args: ['prepare'] }
/** In order of start; two run side by side, one for each core. What did not change is taken from a cache. */
const STEPS: Step[] = [
  { name: 'build', command: 'sh', args: ['bin/setup', '--build'] },
  { name: 'types of screens and server', command: bin('vue-tsc'), args: ['-b', '--noEmit'] },
  {
    name: 'types of tools and tests',
    command: bin('tsc'),
    args: ['-p', 'tsconfig.tools.json', '--noEmit', '--incremental', '--tsBuildInfoFile', cache('tools.tsbuildinfo')]
  },
  { name: 'lint', command: bin('eslint'), args: ['.', '--cache', '--cache-location', cache('eslint')] },
  {
    name: 'unit and component tests',
    command: bin('vitest'),
    args: ['run', '--project', 'unit', '--project', 'nuxt'],
    env: TESTS_ENV
  },
  {
    name: 'one file of each other kind',
    command: bin('vitest'),
    args: ['run', '--project', 'integration', '--project', 'cli', '--project', 'e2e', ...FILES],
    env: TESTS_ENV,
    after: 'build'
  }
]

function run({ name, command, args, env = {} }: Step): Promise<Outcome> {
  const start = performance.now()
  const path = `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`
  const child = spawn(command, args, { cwd: root, env: { ...process.env, ...env, PATH: path, NO_COLOR: '1' } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => { output += chunk })
  return new Promise((resolve) => {
    child.on('error', error => resolve({ name, seconds: 0, code: 1, output: String(error) }))
    child.on('close', (code) => {
      const outcome = { name, seconds: (performance.now() - start) / 1000, code: code ?? 1, output }
      process.stdout.write(`${outcome.code === 0 ? 'ok    ' : 'failed'} ${outcome.seconds.toFixed(0)} s  ${name}\n`)
      resolve(outcome)
    })
  })
}

/** One of the two lanes: takes the first step that can start until none is left. */
async function runLane(waiting: Step[], done: Map<string, Promise<Outcome>>): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    if (step.after) await done.get(step.after)
    const running = run(step)
    done.set(step.name, running)
    outcomes.push(await running)
  }
  return outcomes
}

const start = performance.now()
const prepared = await run(PREPARE)
const [waiting, done] = [[...STEPS], new Map<string, Promise<Outcome>>()]
const lanes = await Promise.all([runLane(waiting, done), runLane(waiting, done)])
const outcomes = [prepared, ...lanes.flat()]
const failed = outcomes.filter(({ code }) => code !== 0)
for (const { name, output } of failed) process.stdout.write(`\n${name}:\n${output}\n`)
const seconds = ((performance.now() - start) / 1000).toFixed(0)
process.stdout.write(`${failed.length === 0 ? 'All passed' : `${failed.length} failed`} in ${seconds} s.\n`)
process.exitCode = failed.length === 0 ? 0 : 1
