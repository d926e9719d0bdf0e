import { defineCommand } from 'citty'
import product from '../package.json' with { type: 'json' }

/** Each command is loaded when it is called. */
export const root = defineCommand({
  meta: { name: 'svc', version: product.version, description: 'Dental budgets: run and operate an instance' },
  subCommands: {
    up: () => import('./up.ts').then(file => file.default),
    start: () => import('./start.ts').then(file => file.default)
  }
})
