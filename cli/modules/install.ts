import { defineCommand } from 'citty'
import { commonArgs, runScheduling } from './schedule.ts'

export default defineCommand({
  meta: {
    name: 'install',
    description: 'Schedule the install of a module and of the modules it depends on',
    examples: ['svc modules install recall', 'svc modules install recall --dry-run']
  },
  args: commonArgs,
  run: ({ args }) => runScheduling({ command: 'install', name: args.name, dry_run: args['dry-run'] })
})
