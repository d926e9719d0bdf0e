import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { delimiter, join } from 'node:path'

/**
 * `npm run test:quick`: types, lint, all unit and component tests and one file of each other kind, in less than three
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
const PROJECTS = ['unit', 'nuxt', 'integration', 'cli', 'e2e'].flatMap(name => ['--project', name])

interface Step { name: string, command: string, args: string[], env?: Record<string, string> }
interface Outcome { name: string, seconds: number, code: number, output: string }

const PREPARE: Step = { name: 'prepare', command: bin('nuxt'), args: ['prepare'] }
/** Side by side, one for each core. */
const LANES: Step[][] = [
  [
    { name: 'types of screens and server', command: bin('vue-tsc'), args: ['-b', '--noEmit'] },
    { name: 'types of tools and tests', command: bin('tsc'), args: ['-p', 'tsconfig.tools.json', '--noEmit'] },
    { name: 'lint', command: bin('eslint'), args: ['.', '--cache', '--cache-location', 'node_modules/.cache/eslint'] }
  ],
  [
    { name: 'build', command: 'sh', args: ['bin/setup', '--build'] },
    {
      name: 'tests',
      command: bin('vitest'),
      args: ['run', ...PROJECTS, 'tests/unit/', 'tests/architecture', 'tests/core-rooms', 'tests/nuxt/', ...FILES],
      env: { SVC_TEST_MODULES: join(root, 'tests/fixtures/modules/svc-module-recall') }
    }
  ]
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

async function runAll(steps: Step[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const step of steps) outcomes.push(await run(step))
  return outcomes
}

const start = performance.now()
const prepared = await run(PREPARE)
const outcomes = [prepared, ...(await Promise.all(LANES.map(runAll))).flat()]
const failed = outcomes.filter(({ code }) => code !== 0)
for (const { name, output } of failed) process.stdout.write(`\n${name}:\n${output}\n`)
const seconds = ((performance.now() - start) / 1000).toFixed(0)
process.stdout.write(`${failed.length === 0 ? 'All passed' : `${failed.length} failed`} in ${seconds} s.\n`)
process.exitCode = failed.length === 0 ? 0 : 1
