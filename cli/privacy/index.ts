import { defineCommand } from 'citty'

export default defineCommand({
  meta: { name: 'privacy', description: 'What is held of a patient: give it out, erase it' },
  subCommands: {
    export: () => import('./export.ts').then(file => file.default),
    erase: () => import('./erase.ts').then(file => file.default)
  }
})
