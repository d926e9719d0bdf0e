import { defineCommand } from 'citty'

export default defineCommand({
  meta: { name: 'user', description: 'Create, list and deactivate users' },
  subCommands: {
    'create': () => import('./create.ts').then(file => file.default),
    'list': () => import('./list.ts').then(file => file.default),
    'reset-password': () => import('./reset-password.ts').then(file => file.default),
    'password': () => import('./set-password.ts').then(file => file.default),
    'reset-factor': () => import('./reset-factor.ts').then(file => file.default),
    'enrolment-link': () => import('./enrolment-link.ts').then(file => file.default),
    'deactivate': () => import('./deactivate.ts').then(file => file.default)
  }
})
