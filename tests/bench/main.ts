import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { budgetList } from './rows/budget-list.ts'
import { signedPdf } from './rows/signed-pdf.ts'
import { aBenchInstance } from './support/instance.ts'
import type { Figure } from './support/measure.ts'

/** `npm run bench`: every figure as a ratio to a baseline of the same run. Writes `results/latest.{json,md}`, unless only some rows were named; exit 1 when an aim is missed. */
const say = (line: string) => process.stderr.write(`${line}\n`)
const instance = await aBenchInstance()
try {
  const rows = { 'signed-pdf': signedPdf, 'budget-list': budgetList }
  const wanted = process.argv.slice(2)
  const figures: Figure[] = []
  for (const [name, row] of Object.entries(rows)) if (!wanted.length || wanted.includes(name)) figures.push(...await row(instance, say))
  if (!wanted.length) write(figures)
  process.stdout.write(table(figures))
  process.exitCode = figures.every(({ met }) => met) ? 0 : 1
} finally {
  await instance.close()
}

function write(figures: Figure[]): void {
  const folder = join(import.meta.dirname, 'results')
  mkdirSync(folder, { recursive: true })
  const about = { node: process.version, cores: cpus().length, at: new Date().toISOString() }
  writeFileSync(join(folder, 'latest.json'), `${JSON.stringify({ ...about, figures }, null, 2)}\n`)
  writeFileSync(join(folder, 'latest.md'), table(figures))
}

function table(figures: Figure[]): string {
  const rows = figures.map(figure => [figure.name, figure.baseline, figure.baseline_ms.toFixed(1), figure.measured_ms.toFixed(1), figure.ratio.toFixed(2), figure.aim, figure.met ? 'yes' : 'no'])
  const head = ['What', 'Baseline in the same run', 'Baseline ms', 'Measured ms', 'Ratio', 'Aim', 'Met']
  return [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |\n`).join('')
}
