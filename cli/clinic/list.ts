import { defineCommand } from 'citty'
import { listClinics } from '../../server/core/people/accounts/list-accounts.ts'
import { withSql } from '../context.ts'
import { table } from '../modules/table.ts'
import type { Result } from '../output.ts'

export default defineCommand({
  meta: {
    name: 'list',
    description: 'List the clinics',
    examples: ['svc clinic list']
  },
  args: { json: { type: 'boolean', description: 'Print one JSON document' } },
  async run(): Promise<Result> {
    const clinics = await withSql(listClinics)
    const rows = clinics.map(({ id, name, currency, time_zone, locale, members }) => [
      name,
      currency,
      time_zone,
      locale,
      String(members),
      id
    ])
    return { json: clinics, text: table(['NAME', 'CURRENCY', 'TIME ZONE', 'LANGUAGE', 'MEMBERS', 'ID'], rows) }
  }
})
