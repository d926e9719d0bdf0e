import { exceptionOf } from './exceptions.ts'
import type { Executed, PlanNode } from './statements.ts'

export interface Classified {
  scenario: string
  /** The operation and its tables. */
  name: string
  sql: string
  /** The number of runs. The figures are those of the worst run. */
  runs: number
  /** Scans, with the index that each uses. */
  nodes: string[]
  returned: number
  read: number
  buffers: number
  ms: number
  verdict: 'good' | 'linear' | 'bad'
  why: string
}

/** Rows that a statement may always read, and rows that it may read for each row that it returns or writes. */
const FREE = 1000
const PER_ROW = 20
/** Pages of a table or an index, for each row that may be read. */
const PAGES_PER_ROW = 6
/** A sequential scan is harmless when it ends after this many rows. */
const SOON = 100
/** Counts up to 10,000 are grouped, too. */
const MAX_SORT_ROWS = 10_001

/** Null for a statement without a growing table. `growing` are the tables that have many rows in this database. */
export function classify(scenario: string, runs: Executed[], growing: ReadonlySet<string>): Classified | null {
  const all = runs.map(({ sql, ms, plan }) => measure({ scenario, sql, ms, plan }, growing))
  const worst = all.toSorted((a, b) => rank(b) - rank(a) || b.read - a.read || b.ms - a.ms)[0]!
  if (worst.nodes.length === 0) return null
  const fastest = Math.min(...runs.map(({ ms }) => ms))
  const late = fastest > (exceptionOf(scenario, worst.sql)?.ms ?? Infinity)
  const why = [worst.why, `takes ${Math.round(fastest)} ms`].filter(Boolean).join(', ')
  return { ...worst, runs: runs.length, ...late ? { verdict: 'bad' as const, why } : {} }
}

const rank = ({ verdict }: Pick<Classified, 'verdict'>) => ['good', 'linear', 'bad'].indexOf(verdict)

function measure(
  { scenario, sql, ms, plan }: Executed & { scenario: string },
  growing: ReadonlySet<string>
): Omit<Classified, 'runs'> {
  const nodes = flatten(plan)
  const scans = nodes.filter(node => growing.has(node['Relation Name'] ?? '') && !isWrite(node))
  const read = Math.round(scans.reduce((all, node) => all + rowsRead(node), 0))
  const returned = Math.round(
    Math.max(
      rowsOut(plan),
      ...nodes
        .filter(isWrite)
        .flatMap(node => node.Plans ?? [])
        .map(rowsOut)
    )
  )
  const buffers = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
  const found = {
    scenario,
    name: nameOf(sql, nodes),
    sql,
    nodes: [...new Set(scans.map(toText))],
    returned,
    read,
    buffers,
    ms
  }
  const allowed = exceptionOf(scenario, sql)
  const most = allowed?.rows ?? FREE + PER_ROW * returned
  const faults = [
    ...scans
      .filter(node => node['Node Type'] === 'Seq Scan' && rowsRead(node) > SOON && !allowed?.whole)
      .map(node => `reads all of ${node['Relation Name']}`),
    ...nodes
      .filter(node => node['Node Type'].endsWith('Sort') && sorted(node) > Math.max(MAX_SORT_ROWS, allowed?.sorts ?? 0))
      .map(node => `sorts ${Math.round(sorted(node))} rows`),
    ...(read > most ? [`reads ${read} rows for ${returned}`] : []),
    ...(buffers > Math.max(most, FREE) * PAGES_PER_ROW ? [`touches ${buffers} pages`] : [])
  ]
  if (faults.length > 0) return { ...found, verdict: 'bad', why: [...new Set(faults)].join(', ') }
  const isMore
    = read > FREE + PER_ROW * returned || scans.some(node => node['Node Type'] === 'Seq Scan' && rowsRead(node) > SOON)
  return allowed && isMore ? { ...found, verdict: 'linear', why: allowed.why } : { ...found, verdict: 'good', why: '' }
}

const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)]
const isWrite = (node: PlanNode) => node['Node Type'] === 'ModifyTable'
const rowsOut = (node: PlanNode) => node['Actual Rows'] * node['Actual Loops']
const rowsRead = (node: PlanNode) =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0))
  * node['Actual Loops']
const sorted = (node: PlanNode) => Math.max(0, ...(node.Plans ?? []).map(rowsOut))

/** The index of a bitmap scan is in the node below, where its rows were counted. */
function toText(node: PlanNode): string {
  const indexes = node['Index Name'] ?? flatten(node).flatMap(below => below['Index Name'] ?? []).join(' + ')
  return `${node['Node Type']} ${node['Relation Name']}${indexes ? ` by ${indexes}` : ''}`
}

function nameOf(sql: string, nodes: PlanNode[]): string {
  const tables = [...new Set(nodes.flatMap(node => node['Relation Name'] ?? []))]
  const verb = nodes.find(isWrite) ? (/\b(insert|update|delete)\b/i.exec(sql)?.[1] ?? 'write').toLowerCase() : 'select'
  return `${verb} ${tables.join(', ')}`
}
