import { defineCommand } from 'citty'
import { commonArgs, runScheduling } from './schedule.ts'

export default defineCommand({
  meta: { name: 'orphan', description: 'Give up a module whose code is gone; runs nothing' },
  args: commonArgs,
  run: ({ args }) => runScheduling({ command: 'orphan', name: args.name, dry_run: args['dry-run'] })
})
