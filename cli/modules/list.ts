import { defineCommand } from 'citty'
import { listModules, type ModuleItem } from '../../server/core/modules/report.ts'
import { withSql } from '../context.ts'
import type { Result } from '../output.ts'
import { table } from './table.ts'

export default defineCommand({
  meta: {
    name: 'list',
    description: 'List the modules',
    examples: ['svc modules list', 'svc modules list --json']
  },
  args: { json: { type: 'boolean', description: 'Print one JSON document' } },
  async run(): Promise<Result> {
    const items = await withSql(listModules)
    return { json: items, text: table(['NAME', 'VERSION', 'STATE', 'CATEGORY', 'DEPENDS'], items.map(toRow)) }
  }
})

/** The installed version, followed by the one on disk if an upgrade would change it. */
export const versionOf = ({ version, disk_version }: Pick<ModuleItem, 'version' | 'disk_version'>): string =>
  version && disk_version && version !== disk_version
    ? `${version} (${disk_version} on disk)`
    : version ?? disk_version ?? '-'

function toRow({ name, version, disk_version, state, category, depends, error_message }: ModuleItem): string[] {
  return [
    name,
    versionOf({ version, disk_version }),
    error_message === null ? state : `${state} (error)`,
    category,
    depends.join(',') || '-'
  ]
}
