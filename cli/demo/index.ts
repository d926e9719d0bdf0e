import { defineCommand } from 'citty'

export default defineCommand({
  meta: { name: 'demo', description: 'Fill the demo clinic' },
  subCommands: { seed: () => import('./seed.ts').then(file => file.default) }
})
