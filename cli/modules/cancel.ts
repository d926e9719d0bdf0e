import { defineCommand } from 'citty'
import { commonArgs, runScheduling } from './schedule.ts'

export default defineCommand({
  meta: {
    name: 'cancel',
    description: 'Cancel what is scheduled for a module, as long as no step has completed',
    examples: ['svc modules cancel reports']
  },
  args: commonArgs,
  run: ({ args }) => runScheduling({ command: 'cancel', name: args.name, dry_run: args['dry-run'] })
})
