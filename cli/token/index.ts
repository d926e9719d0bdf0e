import { defineCommand } from 'citty'

export default defineCommand({
  meta: { name: 'token', description: 'Create, list and revoke bearer tokens' },
  subCommands: {
    create: () => import('./create.ts').then(file => file.default),
    list: () => import('./list.ts').then(file => file.default),
    revoke: () => import('./revoke.ts').then(file => file.default)
  }
})
