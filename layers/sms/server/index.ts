import { defineModule } from '@svc/kit'
import { channels } from './channels.ts'
import { fillDemo } from './demo/index.ts'
import { problems } from './problems.ts'
import { askProvider } from './services/ask-provider.ts'
import { erasePatient } from './services/erase-patient.ts'
import { exportPatient } from './services/export-patient.ts'
import { reportSection } from './services/report-section.ts'
import { findTrouble, measure } from './services/watch.ts'
import { settings } from './settings.ts'

export default defineModule({
  problems,
  settings,
  channels,
  jobs: { 'ask-provider': { cron: '13,43 * * * *', run: (_payload, ctx) => askProvider(ctx) } },
  staff_sections: { 'reports.clinic': reportSection },
  hooks: { export: exportPatient, erase: erasePatient },
  doctor: findTrouble,
  metrics: measure,
  demo: fillDemo
})
