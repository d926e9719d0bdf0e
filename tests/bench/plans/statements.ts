import { openSync, readSync, closeSync, statSync } from 'node:fs'

/** A node of PostgreSQL's plan, in the JSON format after the statement has run. */
export interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  'Plans'?: PlanNode[]
}

/** A statement that a connection of the product has run, including those of triggers and foreign keys. */
export interface Executed { sql: string, ms: number, plan: PlanNode }

/** Marks the beginning of an entry in the server's log. Its other lines begin with a tab. */
export const LOG_PREFIX = '~~%a~~ '
/** The bench's own statements are not statements of the product. */
export const OWN = 'plans'

/** From now on, new connections to the database log each statement with its plan. Needs a superuser. */
export const settings: Record<string, string> = {
  'session_preload_libraries': 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_parameter_max_length': '0',
  'auto_explain.log_format': 'json'
}

/** Returns the entries since the last call. */
export function createReader(file: string): () => Executed[] {
  let offset = statSync(file).size
  return () => {
    const bytes = Buffer.alloc(statSync(file).size - offset)
    const descriptor = openSync(file, 'r')
    try {
      readSync(descriptor, bytes, 0, bytes.length, offset)
    } finally {
      closeSync(descriptor)
    }
    offset += bytes.length
    return bytes.toString().split(/^(?=~~)/m).flatMap(toExecuted)
  }
}

const ENTRY = /^~~(?<application>.*?)~~ LOG: {2}duration: (?<ms>[\d.]+) ms {2}plan:\n(?<json>[\s\S]+)$/

function toExecuted(entry: string): Executed[] {
  const { application, ms, json } = ENTRY.exec(entry)?.groups ?? {}
  if (!json || application === `svc:${OWN}`) return []
  const explained = JSON.parse(json) as { 'Query Text': string, 'Plan': PlanNode }
  return [{ sql: explained['Query Text'].replaceAll(/\s+/g, ' ').trim(), ms: Number(ms), plan: explained.Plan }]
}
