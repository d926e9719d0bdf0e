import { defineCommand } from 'citty'
import { commonArgs, runScheduling } from './schedule.ts'

export default defineCommand({
  meta: { name: 'install', description: 'Schedule the install of a module and of what it needs' },
  args: commonArgs,
  run: ({ args }) => runScheduling({ command: 'install', name: args.name, dry_run: args['dry-run'] })
})
