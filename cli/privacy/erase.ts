import path from 'node:path'
import { defineCommand } from 'citty'
import { erasePerson } from '../../server/core/privacy/erase.ts'
import type { ErasureReport } from '../../shared/contract.ts'
import type { Result } from '../output.ts'
import { patientArgs, withPatient } from './with-patient.ts'

export default defineCommand({
  meta: { name: 'erase', description: 'Erase a patient for good, all but the documents that the law keeps' },
  args: {
    ...patientArgs,
    'dry-run': { type: 'boolean', description: 'Tell what would happen; change nothing' }
  },
  run: ({ args }): Promise<Result> => withPatient(args.patient, async (host) => {
    const report = await erasePerson(host, { id: args.patient, dry_run: args['dry-run'] ?? false, by: null })
    return { json: report, text: toText(report, host.config.storage) }
  })
})

const WHY = {
  kept_data: 'it was taken out and its tables were left',
  no_hook: 'it does not say what it holds of people'
}

function toText({ dry_run, person, erased, held, letters, backups, left }: ErasureReport, storage: string): string {
  const sections: [head: string, lines: string[]][] = [
    [
      dry_run ? 'Would be erased:' : 'Erased:',
      [
        ...erased.map(({ module, what, count }) => `${module}: ${what} (${count})`),
        ...(letters > 0 ? [`core: mail files (${letters})`] : [])
      ]
    ],
    [
      'Kept, because the law demands it:',
      held.map(({ object, what, file, reason }) => `${object}, ${what}: ${file}\n      ${reason}`)
    ],
    [
      'Backups of modules that hold the person; restoring one brings the data back:',
      backups.map(name => `rm ${path.join(storage, 'backups', name)}*`)
    ],
    ['Not asked:', left.map(({ module, why }) => `${module}: ${WHY[why]}`)]
  ]
  const found = sections
    .filter(([, lines]) => lines.length > 0)
    .map(([head, lines]) => [head, ...lines.map(line => `  - ${line}`)].join('\n'))
  const head = dry_run ? `Nothing was changed. Patient ${person.id}:` : `Patient ${person.id}:`
  return [
    head,
    ...(found.length > 0 ? found : ['Nothing is left to erase.']),
    'Dumps and replicas of the database, and letters that were sent, are yours to look after: docs/operations.md, "Privacy".'
  ].join('\n\n')
}
