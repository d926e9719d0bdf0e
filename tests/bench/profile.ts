import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SECRET, startBuilt, stop } from '../support/browser/built-server.ts'
import { cleanEnv, freePort } from '../support/cli.ts'
import { root } from '../support/modules/official.ts'
import { rows } from './rows/index.ts'
import { inspect } from './support/inspector.ts'
import { aBenchInstance, type BenchInstance } from './support/instance.ts'
import { sharesOf, type CpuProfile, type Share } from './support/profile.ts'

/**
 * `npm run bench:profile -- <row> …`: where the server's main thread spends its time while a row of the bench runs, in
 * percent, by library and folder. It explains a figure that misses its target. The row's own figure is meaningless
 * here, because profiling takes time. Writes `results/profiles/<row>.md`.
 */
/** Rows that start a process, which is profiled instead of the server. */
const PROCESSES: Record<string, (env: Record<string, string>) => Promise<unknown>> = {
  'start-up': async env => stop((await startBuilt(env)).server), // as soon as it is ready
  'modules-list': env => promisify(execFile)(join(root, 'bin/svc'), ['modules', 'list'], { env: cleanEnv(env) })
}
const SHOWN = 25
const RESULTS = join(import.meta.dirname, 'results/profiles')
const say = (line: string) => process.stderr.write(`${line}\n`)

const wanted = process.argv.slice(2)
if (wanted.length === 0 || wanted.some(name => !(name in rows))) {
  say(`Name one or more rows of: ${Object.keys(rows).join(', ')}.`)
  process.exit(2)
}

const port = await freePort()
const instance = await aBenchInstance(say, 'full', { NODE_OPTIONS: `--inspect=127.0.0.1:${port}` })
try {
  for (const name of wanted) {
    say(`— ${name}`)
    const profile = name in PROCESSES ? await profileProcess(instance, PROCESSES[name]!) : await profileRow(name)
    const table = asTable(sharesOf(profile).slice(0, SHOWN))
    mkdirSync(RESULTS, { recursive: true })
    writeFileSync(join(RESULTS, `${name}.md`), table)
    process.stdout.write(table)
  }
} finally {
  await instance.close()
}

async function profileRow(name: string): Promise<CpuProfile> {
  const inspector = await inspect(port)
  try {
    await inspector.call('Profiler.enable')
    await inspector.call('Profiler.setSamplingInterval', { interval: 500 })
    await inspector.call('Profiler.start')
    await rows[name]!(instance, say)
    return (await inspector.call('Profiler.stop')).profile
  } finally {
    inspector.close()
  }
}

async function profileProcess({ env }: BenchInstance, run: (env: Record<string, string>) => Promise<unknown>) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-profile-'))
  try {
    await run({ ...env, SVC_SECRET: SECRET, NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` })
    // Each thread writes a profile too, but a smaller one.
    const texts = readdirSync(folder).map(file => readFileSync(join(folder, file), 'utf8'))
    return JSON.parse(texts.sort((a, b) => b.length - a.length)[0]!) as CpuProfile
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function asTable(shares: Share[]): string {
  return [
    '| Share | Seconds | Where |',
    '| --- | --- | --- |',
    ...shares.map(({ percent, seconds, where }) => `| ${percent.toFixed(1)} % | ${seconds.toFixed(2)} | ${where} |`),
    ''
  ].join('\n')
}
