import { defineCommand } from 'citty'

export default defineCommand({
  meta: { name: 'setup', description: 'Set a new instance up in the browser' },
  subCommands: { code: () => import('./code.ts').then(file => file.default) }
})
