import { defineModule } from '@svc/kit'
import { fillDemo } from './demo/index.ts'
import { createExports } from './exports.ts'
import { problems } from './problems.ts'
import { erasePatient } from './services/erase-patient.ts'
import { exportPatient } from './services/export-patient.ts'
import { findPerson } from './services/find-person.ts'

export default defineModule({
  problems,
  hooks: { find_person: findPerson, export: exportPatient, erase: erasePatient },
  exports: createExports,
  demo: fillDemo
})
