import { defineCommand } from 'citty'
import { commonArgs, runScheduling } from './schedule.ts'

export default defineCommand({
  meta: {
    name: 'orphan',
    description: 'Mark a module whose code is missing as uninstalled; runs nothing',
    examples: ['svc modules orphan recall']
  },
  args: commonArgs,
  run: ({ args }) => runScheduling({ command: 'orphan', name: args.name, dry_run: args['dry-run'] })
})
