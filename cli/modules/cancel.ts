import { defineCommand } from 'citty'
import { commonArgs, runScheduling } from './schedule.ts'

export default defineCommand({
  meta: { name: 'cancel', description: 'Take back what is scheduled for a module, until its first step has completed' },
  args: commonArgs,
  run: ({ args }) => runScheduling({ command: 'cancel', name: args.name, dry_run: args['dry-run'] })
})
