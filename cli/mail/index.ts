import { defineCommand } from 'citty'

export default defineCommand({
  meta: { name: 'mail', description: 'Outgoing mail' },
  subCommands: { test: () => import('./test.ts').then(file => file.default) }
})
