import { defineCommand } from 'citty'
import { listTokens } from '../../server/core/people/accounts/list-accounts.ts'
import { withSql } from '../context.ts'
import { table } from '../modules/table.ts'
import type { Result } from '../output.ts'

export default defineCommand({
  meta: {
    name: 'list',
    description: 'List the bearer tokens, not their values',
    examples: ['svc token list']
  },
  args: { json: { type: 'boolean', description: 'Print one JSON document' } },
  async run(): Promise<Result> {
    const tokens = await withSql(listTokens)
    const rows = tokens.map(({ id, name, scope, state, created_at, expires_at }) => [
      id,
      scope,
      state,
      created_at,
      expires_at ?? '-',
      name ?? '-'
    ])
    return { json: tokens, text: table(['ID', 'SCOPE', 'STATE', 'CREATED', 'EXPIRES', 'NAME'], rows) }
  }
})
