import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import type { Classified } from './classify.ts'
import type { Size } from './seed.ts'

export interface About extends Size { server: string, tables: { name: string, rows: number, bytes: number }[] }

/** Writes `results/plans.{json,md}`: the complete data, and a table for people. Returns the table. */
export function writeReport(about: About, judged: Classified[]): string {
  const folder = join(import.meta.dirname, '../results')
  const text = toMarkdown(about, judged)
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'plans.json'),
    `${JSON.stringify({ at: new Date().toISOString(), node: process.version, cores: cpus().length, load: Math.round(loadavg()[0]! * 10) / 10, ...about, statements: judged }, null, 2)}\n`
  )
  writeFileSync(join(folder, 'plans.md'), text)
  return text
}

function toMarkdown({ budgets, clinics, server, tables }: About, judged: Classified[]): string {
  const count = (verdict: Classified['verdict']) => judged.filter(one => one.verdict === verdict).length
  return [
    `${number(budgets)} budgets of ${number(clinics)} clinics, one of which has a fifth of them; PostgreSQL ${server}, ${new Date().toISOString().slice(0, 16)}Z.`,
    `${number(judged.length)} statements: ${count('good')} good, ${count('linear')} that grow by what they are asked for, ${count('bad')} bad. The SQL of each stands in plans.json.`,
    '',
    row(['Table', 'Rows', 'MB with its indexes']),
    row(['---', '--:', '--:']),
    ...tables.map(({ name, rows, bytes }) => row([name, number(rows), number(Math.round(bytes / 1e6))])),
    '',
    row(['Where', 'Statement', 'Plan', 'Rows', 'Read', 'Pages', 'ms', 'Verdict']),
    row(['---', '---', '---', '--:', '--:', '--:', '--:', '---']),
    ...judged.map(one =>
      row([
        one.scenario,
        one.name,
        one.nodes.join('; '),
        number(one.returned),
        number(one.read),
        number(one.buffers),
        one.ms.toFixed(1),
        one.verdict + (one.why ? `: ${one.why}` : '')
      ])
    )
  ]
    .map(line => `${line}\n`)
    .join('')
}

const row = (cells: string[]) => `| ${cells.join(' | ')} |`
const number = (n: number) => n.toLocaleString('en')
