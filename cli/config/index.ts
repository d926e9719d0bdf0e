import { defineCommand } from 'citty'

export default defineCommand({
  meta: { name: 'config', description: 'Settings of the instance' },
  subCommands: { check: () => import('./check.ts').then(file => file.default) }
})
