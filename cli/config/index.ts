import { defineCommand } from 'citty'

export default defineCommand({
  meta: { name: 'config', description: 'Check the settings' },
  subCommands: { check: () => import('./check.ts').then(file => file.default) }
})
