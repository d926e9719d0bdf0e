import { defineCommand } from 'citty'
import { describeModule, type ModuleItem } from '../../server/core/modules/report.ts'
import { withSql } from '../context.ts'
import { unknownModule } from '../errors.ts'
import type { Result } from '../output.ts'

export default defineCommand({
  meta: {
    name: 'info',
    description: 'Show what is known about a module',
    examples: ['svc modules info recall']
  },
  args: {
    name: { type: 'positional', description: 'Name of the module', required: true },
    json: { type: 'boolean', description: 'Print one JSON document' }
  },
  async run({ args }): Promise<Result> {
    const item = await withSql((sql, config) => describeModule(sql, config, args.name))
    if (!item) throw unknownModule(args.name)
    return { json: item, text: toText(item) }
  }
})

function toText(item: ModuleItem): string {
  const lines: Record<string, string | null> = {
    'name': item.name,
    'version': item.version,
    'disk version': item.disk_version,
    'state': item.state,
    'category': item.category,
    'applied revision': item.applied_revision,
    'installed at': item.installed_at,
    'last state change': item.last_state_change,
    'error': item.error_message,
    'depends': item.depends.join(',')
  }
  return Object.entries(lines).map(([key, value]) => `${key}: ${value || '-'}`).join('\n')
}
