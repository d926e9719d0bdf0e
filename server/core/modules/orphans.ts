import { problem, type Problem } from '@svc/kit'
import type { Sql } from 'postgres'
import type { Config } from '../config.ts'
import { discover, type Discovered } from './discover.ts'
import { readModules, type ModuleRow } from './store.ts'

/** Rows whose code is missing. The caller prints the message and ends the process with exit code 1. */
export class OrphanError extends Error {
  readonly names: string[]
  constructor(names: string[]) {
    super([
      'Orphan modules (in DB, missing from disk):',
      ...names.map(name => `  - ${name}`),
      'Restore the package of each, or mark it as uninstalled: svc modules orphan <name>'
    ].join('\n'))
    this.name = 'OrphanError'
    this.names = names
  }
}

type Row = Pick<ModuleRow, 'name' | 'state'>

export function findOrphans(rows: readonly Row[], discovered: readonly Discovered[]): string[] {
  const onDisk = new Set(discovered.map(module => module.name))
  return rows.filter(row => row.state !== 'uninstalled' && !onDisk.has(row.name)).map(row => row.name)
}

/**
 * Checked before a restart, because the service does not start with an orphan. Throws `orphan_modules`. A new database
 * has no modules.
 */
export async function refuseRestart(sql: Sql, config: Pick<Config, 'root' | 'storage'>): Promise<void> {
  const names = findOrphans(await readRows(sql), await discover(config))
  if (names.length > 0) throw refusal(names)
}

const UNDEFINED_TABLE = '42P01'

async function readRows(sql: Sql): Promise<Row[]> {
  return await readModules(sql).catch((error: unknown) => {
    if ((error as { code?: string }).code === UNDEFINED_TABLE) return []
    throw error
  })
}

function refusal(names: string[]): Problem {
  const remedies = names.map(name => `svc modules orphan ${name}`).join(' && ')
  const [subject, what] = names.length === 1
    ? [`${names[0]} is installed, but its code is`, 'Restore its package, or mark it as uninstalled']
    : [`${names.join(', ')} are installed, but their code is`, 'Restore their packages, or mark them as uninstalled']
  return problem('orphan_modules', {
    detail: `The service would not start again: ${subject} not on disk. ${what}: ${remedies}`,
    modules: names
  })
}
