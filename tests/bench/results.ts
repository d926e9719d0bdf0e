import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { rows as known } from './rows/index.ts'
import type { Figure } from './support/measure.ts'

interface Result {
  at: string
  node: string
  cores: number
  /** Of the machine when the row began; our own work is a part of it. */ load: number
  figures: Figure[]
}
type Results = Record<string, Result>

const folder = join(import.meta.dirname, 'results')
const json = join(folder, 'latest.json')
const markdown = join(folder, 'latest.md')

/** The results of the other rows stay. */
export function writeResults(name: string, { load, figures }: { load: number, figures: Figure[] }): void {
  const before: Results = existsSync(json) ? JSON.parse(readFileSync(json, 'utf8')) : {}
  const found = {
    ...before,
    [name]: {
      at: new Date().toISOString(),
      node: process.version,
      cores: cpus().length,
      load: Math.round(load * 10) / 10,
      figures
    }
  }
  const inOrder: Results = Object.fromEntries(Object.keys(known).flatMap(row => found[row] ? [[row, found[row]]] : []))
  mkdirSync(folder, { recursive: true })
  writeFileSync(json, `${JSON.stringify(inOrder, null, 2)}\n`)
  writeFileSync(markdown, table(inOrder))
}

export const readResults = (): string => readFileSync(markdown, 'utf8')

function table(results: Results): string {
  const lines = Object.values(results).flatMap(({ at, load, figures }) =>
    figures.map(figure => [
      figure.name,
      figure.baseline,
      `${figure.base} ${figure.unit}`,
      `${figure.measured} ${figure.unit}`,
      figure.ratio.toFixed(2),
      figure.aim,
      figure.met ? 'yes' : 'no',
      `${at.slice(0, 16)}Z, ${load}`
    ])
  )
  const head = [
    'What',
    'Baseline in the same run',
    'Baseline',
    'Measured',
    'Ratio',
    'Aim',
    'Met',
    'When, load of the machine'
  ]
  return [head, head.map(() => '---'), ...lines].map(cells => `| ${cells.join(' | ')} |\n`).join('')
}
