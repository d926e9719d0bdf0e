import { defineModule } from '@svc/kit'
import { fillDemo } from './demo/index.ts'
import { createExports } from './exports.ts'
import { problems } from './problems.ts'
import { erasePatient } from './services/erase-patient.ts'
import { exportPatient } from './services/export-patient.ts'
import { findPerson } from './services/find-person.ts'
import { patients } from './services/import/patients.ts'

export default defineModule({
  problems,
  hooks: { find_person: findPerson, export: exportPatient, erase: erasePatient },
  imports: { patients },
  exports: createExports,
  demo: fillDemo
})
