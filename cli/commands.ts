import { defineCommand } from 'citty'
import product from '../package.json' with { type: 'json' }

/** Each command is loaded when it is called. */
export const root = defineCommand({
  meta: { name: 'svc', version: product.version, description: 'Dental budgets: run and operate an instance' },
  subCommands: {
    up: () => import('./up.ts').then(file => file.default),
    start: () => import('./start.ts').then(file => file.default),
    setup: () => import('./setup/index.ts').then(file => file.default),
    modules: () => import('./modules/index.ts').then(file => file.default),
    clinic: () => import('./clinic/index.ts').then(file => file.default),
    user: () => import('./user/index.ts').then(file => file.default),
    token: () => import('./token/index.ts').then(file => file.default),
    audit: () => import('./audit/index.ts').then(file => file.default),
    mail: () => import('./mail/index.ts').then(file => file.default),
    config: () => import('./config/index.ts').then(file => file.default),
    import: () => import('./import/index.ts').then(file => file.default),
    privacy: () => import('./privacy/index.ts').then(file => file.default),
    db: () => import('./db/index.ts').then(file => file.default),
    demo: () => import('./demo/index.ts').then(file => file.default)
  }
})
