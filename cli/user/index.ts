import { defineCommand } from 'citty'

export default defineCommand({
  meta: { name: 'user', description: 'Users of the instance' },
  subCommands: { create: () => import('./create.ts').then(file => file.default) }
})
