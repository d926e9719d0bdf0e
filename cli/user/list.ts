import { defineCommand } from 'citty'
import { listAccounts, type Account } from '../../server/core/people/accounts/list-accounts.ts'
import { withSql } from '../context.ts'
import { table } from '../modules/table.ts'
import type { Result } from '../output.ts'

export default defineCommand({
  meta: {
    name: 'list',
    description: 'List the users with their clinics and roles',
    examples: ['svc user list', 'svc user list --json']
  },
  args: { json: { type: 'boolean', description: 'Print one JSON document' } },
  async run(): Promise<Result> {
    const accounts = await withSql(listAccounts)
    return { json: accounts, text: table(['EMAIL', 'NAME', 'STATE', 'INSTANCE ADMIN', 'CLINICS'], accounts.map(toRow)) }
  }
})

function toRow({ email, first_name, last_name, instance_admin, memberships, invited }: Account): string[] {
  const clinics = memberships.filter(({ active }) => active).map(({ clinic, role }) => `${clinic} (${role})`)
  const isActive = instance_admin || clinics.length > 0
  return [
    email,
    `${first_name} ${last_name}`.trim(),
    !isActive ? 'deactivated' : invited ? 'invited' : 'active',
    instance_admin ? 'yes' : 'no',
    clinics.join(', ') || '-'
  ]
}
