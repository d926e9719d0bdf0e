import { defineCommand } from 'citty'
import { commonArgs, runScheduling } from './schedule.ts'

export default defineCommand({
  meta: {
    name: 'upgrade',
    description: 'Schedule the upgrade of a module to its version on disk',
    examples: ['svc modules upgrade recall']
  },
  args: commonArgs,
  run: ({ args }) => runScheduling({ command: 'upgrade', name: args.name, dry_run: args['dry-run'] })
})
