import { defineCommand } from 'citty'
import { AUDIT_ACTIONS } from '@svc/kit/audit'
import { listAllAudit, type ListedRow } from '../../server/core/audit/list-audit.ts'
import { createSecrets } from '../../server/core/secrets.ts'
import { createUsers } from '../../server/core/people/accounts/names.ts'
import { withDatabase } from '../context.ts'
import { usageError } from '../errors.ts'
import { findClinic } from '../find-clinic.ts'
import { table } from '../modules/table.ts'
import type { Result } from '../output.ts'

const MAX_LIMIT = 100_000

export default defineCommand({
  meta: {
    name: 'list',
    description: 'List who did what, newest first: of all clinics and the instance, or of one clinic',
    examples: ['svc audit list', 'svc audit list --clinic "Clínica Sol" --action sign_in_failed --json']
  },
  args: {
    clinic: { type: 'string', description: 'Id or name of a clinic' },
    action: { type: 'enum', options: [...AUDIT_ACTIONS], description: 'Only rows of this action' },
    limit: { type: 'string', description: 'How many rows', default: '50' },
    json: { type: 'boolean', description: 'Print one JSON document' }
  },
  async run({ args }): Promise<Result> {
    const limit = toLimit(args.limit)
    const rows = await withDatabase(async (database, config) => {
      const clinic_id = args.clinic ? await findClinic(database.connect({ name: 'cli' }), args.clinic) : undefined
      const users = createUsers(database.db, createSecrets(config))
      return await listAllAudit({ db: database.db, users }, { clinic_id, action: args.action, limit })
    })
    return { json: rows, text: table(['AT', 'CLINIC', 'ACTOR', 'ACTION', 'TARGET', 'ADDRESS'], rows.map(cells)) }
  }
})

function toLimit(word: string): number {
  const limit = /^\d{1,6}$/.test(word) ? Number(word) : 0
  if (limit < 1 || limit > MAX_LIMIT) throw usageError(`--limit must be a number from 1 to ${MAX_LIMIT}: "${word}".`)
  return limit
}

const cells = ({ at, clinic, actor, action, target, address }: ListedRow) => [
  at,
  clinic ? (clinic.name ?? clinic.id) : '-',
  actor.name ?? actor.id ?? actor.type,
  action,
  target ? [target.kind, target.id].filter(Boolean).join(' ') : '-',
  address ?? '-'
]
