import { defineCommand } from 'citty'

export default defineCommand({
  meta: { name: 'modules', description: 'List, install, upgrade and remove modules' },
  subCommands: {
    'list': () => import('./list.ts').then(file => file.default),
    'info': () => import('./info.ts').then(file => file.default),
    'status': () => import('./status.ts').then(file => file.default),
    'doctor': () => import('./doctor.ts').then(file => file.default),
    'install': () => import('./install.ts').then(file => file.default),
    'upgrade': () => import('./upgrade.ts').then(file => file.default),
    'uninstall': () => import('./uninstall.ts').then(file => file.default),
    'orphan': () => import('./orphan.ts').then(file => file.default),
    'cancel': () => import('./cancel.ts').then(file => file.default),
    'restart': () => import('./restart.ts').then(file => file.default),
    'sync-frontend': () => import('./sync-frontend.ts').then(file => file.default),
    'backups': () => import('./backups.ts').then(file => file.default),
    'restore': () => import('./restore.ts').then(file => file.default)
  }
})
