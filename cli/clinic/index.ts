import { defineCommand } from 'citty'

export default defineCommand({
  meta: { name: 'clinic', description: 'Create and list clinics' },
  subCommands: {
    create: () => import('./create.ts').then(file => file.default),
    list: () => import('./list.ts').then(file => file.default)
  }
})
