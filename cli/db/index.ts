import { defineCommand } from 'citty'

export default defineCommand({
  meta: { name: 'db', description: 'Database of the instance' },
  subCommands: {
    migrate: () => import('./migrate.ts').then(file => file.default),
    dump: () => import('./dump.ts').then(file => file.default),
    restore: () => import('./restore.ts').then(file => file.default)
  }
})
