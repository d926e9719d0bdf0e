import { defineCommand } from 'citty'
import { nameAndManners, runScheduling } from './schedule.ts'

export default defineCommand({
  meta: { name: 'install', description: 'Schedule the install of a module and of what it needs' },
  args: nameAndManners,
  run: ({ args }) => runScheduling({ command: 'install', name: args.name, dry_run: args['dry-run'] })
})
