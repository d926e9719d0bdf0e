import { defineCommand } from 'citty'

export default defineCommand({
  meta: { name: 'privacy', description: 'Export or erase the data of a patient' },
  subCommands: {
    export: () => import('./export.ts').then(file => file.default),
    erase: () => import('./erase.ts').then(file => file.default)
  }
})
