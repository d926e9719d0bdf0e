import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { rows as known } from './rows/index.ts'
import type { Figure } from './support/measure.ts'

interface Result {
  at: string
  node: string
  cores: number
  /** The load of the machine when the row began. Our own work is a part of it. */
  load: number
  /** The commit that was checked out. Missing in results from before it was recorded. */
  commit?: string
  /** Whether sources were changed and not committed. */
  changed?: boolean
  figures: Figure[]
}
type Results = Record<string, Result>

const folder = join(import.meta.dirname, 'results')
const json = join(folder, 'latest.json')
const markdown = join(folder, 'latest.md')

/** The folders and files that figures depend on. */
const SOURCES = ['server', 'packages', ':(glob)layers/*/server/**']

const git = (...words: string[]) => execFileSync('git', words, { cwd: import.meta.dirname, encoding: 'utf8' }).trim()

/** The last commit up to this one that changed a source, or null if the commit is not known here. */
function lastOfSources(commit: string): string | null {
  try {
    return git('-C', git('rev-parse', '--show-toplevel'), 'log', '-1', '--format=%h', commit, '--', ...SOURCES)
  } catch {
    return null
  }
}

const hasChanges = () => git('-C', git('rev-parse', '--show-toplevel'), 'status', '--porcelain', '--', ...SOURCES) !== ''

const readJson = (): Results => existsSync(json) ? JSON.parse(readFileSync(json, 'utf8')) : {}

/** The results of the other rows are kept. */
export function writeResults(name: string, { load, figures }: { load: number, figures: Figure[] }): void {
  const found: Results = {
    ...readJson(),
    [name]: {
      at: new Date().toISOString(),
      node: process.version,
      cores: cpus().length,
      load: Math.round(load * 10) / 10,
      commit: git('rev-parse', '--short', 'HEAD'),
      ...hasChanges() ? { changed: true } : {},
      figures
    }
  }
  const inOrder: Results = Object.fromEntries(Object.keys(known).flatMap(row => found[row] ? [[row, found[row]]] : []))
  mkdirSync(folder, { recursive: true })
  writeFileSync(json, `${JSON.stringify(inOrder, null, 2)}\n`)
  writeTable()
}

/** Uses the stored results and marks those that have become stale. */
export function writeTable(): void {
  writeFileSync(markdown, table(readJson(), lastOfSources('HEAD')))
}

export const readTable = (): string => readFileSync(markdown, 'utf8')

function table(results: Results, current: string | null): string {
  const lines = Object.values(results).flatMap(result => result.figures.map(figure => [
    figure.name,
    figure.baseline,
    `${figure.base} ${figure.unit}`,
    `${figure.measured} ${figure.unit}`,
    figure.ratio.toFixed(2),
    figure.aim,
    figure.met ? 'yes' : 'no',
    commitOf(result, current),
    `${result.at.slice(0, 16)}Z, ${result.load}`
  ]))
  const head = [
    'What',
    'Baseline in the same run',
    'Baseline',
    'Measured',
    'Ratio',
    'Aim',
    'Met',
    'Commit',
    'When, load of the machine'
  ]
  const rows = [head, head.map(() => '---'), ...lines].map(cells => `| ${cells.join(' | ')} |\n`).join('')
  return `${rows}\n${LEGEND}\n`
}

const LEGEND = '“stale”: `server/`, `packages/` or `layers/*/server/` changed after this commit. `npm run bench -- --table` '
  + 'marks the rows again without measuring. “+”: measured with changes that were not committed.'

function commitOf({ commit, changed }: Result, current: string | null): string {
  if (commit === undefined) return 'unknown, stale'
  const isCurrent = !changed && current !== null && lastOfSources(commit) === current
  return `${commit}${changed ? '+' : ''}${isCurrent ? '' : ', stale'}`
}
