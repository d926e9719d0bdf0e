import { defineCommand } from 'citty'

export default defineCommand({
  meta: { name: 'audit', description: 'Read the audit log' },
  subCommands: {
    list: () => import('./list.ts').then(file => file.default)
  }
})
