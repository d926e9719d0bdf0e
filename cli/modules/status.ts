import { defineCommand } from 'citty'
import { countModules, listModules, type ModuleItem, type ModuleStatus } from '../../server/core/modules/report.ts'
import { withSql } from '../context.ts'
import type { Result } from '../output.ts'
import { table } from './table.ts'

export default defineCommand({
  meta: {
    name: 'status',
    description: 'Count the modules per state; list pending and failed ones',
    examples: ['svc modules status']
  },
  args: { json: { type: 'boolean', description: 'Print one JSON document' } },
  async run(): Promise<Result> {
    const items = await withSql(listModules)
    const status = countModules(items)
    return { json: status, text: toText(status, items) }
  }
})

function toText(status: ModuleStatus, items: ModuleItem[]): string {
  const counts = Object.entries(status.by_state).filter(([, count]) => count > 0)
  const named = (names: string[]) => items.filter(({ name }) => names.includes(name))
  const pending = named(status.pending).map(({ name, state }) => `  - ${name} (${state})`)
  const errored = named(status.errored).map(({ name, error_message }) => `  - ${name}: ${error_message}`)
  return [
    table(
      ['STATE', 'MODULES'],
      [...counts, ['total', status.total]].map(([state, count]) => [String(state), String(count)])
    ),
    `\nPending: ${pending.length === 0 ? 'none' : ''}`.trimEnd(),
    ...pending,
    `Errored: ${errored.length === 0 ? 'none' : ''}`.trimEnd(),
    ...errored
  ].join('\n')
}
