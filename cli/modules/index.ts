import { defineCommand } from 'citty'

export default defineCommand({
  meta: { name: 'modules', description: 'Modules of the instance' },
  subCommands: {
    list: () => import('./list.ts').then(file => file.default),
    info: () => import('./info.ts').then(file => file.default),
    status: () => import('./status.ts').then(file => file.default)
  }
})
