import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBuilt, stop } from '../support/browser/built-server.ts'
import { freePort } from '../support/cli.ts'
import { rows } from './rows/index.ts'
import { inspect } from './support/inspector.ts'
import { aBenchInstance, type BenchInstance } from './support/instance.ts'
import { sharesOf, type CpuProfile, type Share } from './support/profile.ts'

/**
 * `npm run bench:profile -- <row> …`: where the server's main thread spends its time while a row of the bench runs, in
 * percent, by library and folder. It explains a figure that misses its target. The row's own figure is meaningless
 * here, because profiling takes time. Writes `results/profiles/<row>.md`.
 */
const START_UP = 'start-up'
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
    const profile = name === START_UP ? await profileStart(instance) : await profileRow(name)
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

/** For a process that is stopped as soon as it is ready. */
async function profileStart({ env }: BenchInstance): Promise<CpuProfile> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-profile-'))
  try {
    const { server } = await startBuilt({ ...env, NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` })
    await stop(server)
    // Each thread writes a profile too, but a smaller one.
    const texts = readdirSync(folder).map(file => readFileSync(join(folder, file), 'utf8'))
    return JSON.parse(texts.sort((a, b) => b.length - a.length)[0]!)
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
