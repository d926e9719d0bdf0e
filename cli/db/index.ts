import { defineCommand } from 'citty'

export default defineCommand({
  meta: { name: 'db', description: 'Migrate, dump and restore the database' },
  subCommands: {
    migrate: () => import('./migrate.ts').then(file => file.default),
    dump: () => import('./dump.ts').then(file => file.default),
    restore: () => import('./restore.ts').then(file => file.default)
  }
})
