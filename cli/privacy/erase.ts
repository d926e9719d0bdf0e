import path from 'node:path'
import { defineCommand } from 'citty'
import { erasePerson } from '../../server/core/privacy/erase.ts'
import type { ErasureReport } from '../../shared/contract.ts'
import { CliError, EXIT, usageError } from '../errors.ts'
import { confirm, consola, isAtTerminal, type Result } from '../output.ts'
import { patientArgs, withPatient } from './with-patient.ts'

export default defineCommand({
  meta: {
    name: 'erase',
    description: 'Erase the data of a patient for good, except the documents that the law keeps',
    examples: [
      'svc privacy erase 0197c6a0-0000-7000-8000-000000000001 --dry-run',
      'svc privacy erase 0197c6a0-0000-7000-8000-000000000001 --yes'
    ]
  },
  args: {
    ...patientArgs,
    'dry-run': { type: 'boolean', description: 'Show what would be erased; change nothing' },
    'yes': { type: 'boolean', description: 'Erase without asking, for scripts' }
  },
  async run({ args }): Promise<Result> {
    const dry_run = args['dry-run'] ?? false
    const needsConfirmation = !dry_run && !args.yes
    if (needsConfirmation && !isAtTerminal())
      throw usageError('Erasing cannot be undone. Confirm it with --yes.', '--dry-run shows what would be erased')
    return await withPatient(args.patient, async (host) => {
      const order = { id: args.patient, by: null }
      const textOf = (report: ErasureReport) => toText(report, host.config.storage)
      if (needsConfirmation) {
        consola.log(textOf(await erasePerson(host, { ...order, dry_run: true })))
        if (!(await confirm('\nErase this data? It cannot be undone.')))
          throw new CliError({ code: 'not_confirmed', message: 'Nothing was erased.', exit: EXIT.failure })
      }
      const report = await erasePerson(host, { ...order, dry_run })
      return { json: report, text: textOf(report) }
    })
  }
})

const WHY = {
  kept_data: 'the module was removed and its tables were kept',
  no_hook: 'the module does not say which data it has about patients'
}

function toText(report: ErasureReport, storage: string): string {
  const { dry_run, person, erased, held, letters, backups, left, follow_up = [] } = report
  const sections: [head: string, lines: string[]][] = [
    [
      dry_run ? 'Would be erased:' : 'Erased:',
      [
        ...erased.map(({ module, what, count }) => `${module}: ${what} (${count})`),
        ...(letters > 0 ? [`core: mail files (${letters})`] : [])
      ]
    ],
    [
      'Kept, because the law requires it:',
      held.map(({ object, what, file, reason }) => `${object}, ${what}: ${file}\n      ${reason}`)
    ],
    [
      'Backups of modules that contain the data; restoring one brings it back. Remove them:',
      backups.map(name => `rm ${path.join(storage, 'backups', name)}*`)
    ],
    ['Not erased:', left.map(({ module, why }) => `${module}: ${WHY[why]}`)],
    ['Needs manual follow-up:', follow_up.map(({ module, what, object }) => `${module}: ${what}: ${object}`)]
  ]
  const found = sections
    .filter(([, lines]) => lines.length > 0)
    .map(([head, lines]) => [head, ...lines.map(line => `  - ${line}`)].join('\n'))
  const head = dry_run ? `Nothing was changed. Patient ${person.id}:` : `Patient ${person.id}:`
  return [
    head,
    ...(found.length > 0 ? found : ['There is nothing left to erase.']),
    'Dumps and replicas of the database, and emails that were sent, need manual follow-up: docs/operations/privacy.md.'
  ].join('\n\n')
}
