import { defineCommand } from 'citty'
import { commonArgs, runScheduling } from './schedule.ts'

export default defineCommand({
  meta: {
    name: 'uninstall',
    description: 'Schedule the removal of a module; its data is backed up first',
    examples: ['svc modules uninstall reports', 'svc modules uninstall recall --keep-data --dry-run']
  },
  args: {
    ...commonArgs,
    'force': { type: 'boolean', description: 'Also when other modules need it, and when it is part of the service' },
    'keep-data': { type: 'boolean', description: 'Leave its tables and records for a later install' }
  },
  run: ({ args }) => runScheduling({
    command: 'uninstall', name: args.name, force: args.force, keep_data: args['keep-data'], dry_run: args['dry-run']
  })
})
