import { defineCommand } from 'citty'

export default defineCommand({
  meta: { name: 'mail', description: 'Test outgoing mail' },
  subCommands: { test: () => import('./test.ts').then(file => file.default) }
})
