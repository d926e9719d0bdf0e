import { defineModule } from '@svc/kit'
import { fillDemo } from './demo/index.ts'
import { createExports } from './exports.ts'
import { problems } from './problems.ts'
import { afterClinicChange } from './services/after-clinic-change.ts'
import { beforeClinicChange } from './services/before-clinic-change.ts'
import { treatments } from './services/import/treatments.ts'
import { startClinic } from './starter/start-clinic.ts'

export default defineModule({
  problems,
  hooks: {
    before_clinic_change: beforeClinicChange,
    after_clinic_change: afterClinicChange,
    start_clinic: startClinic,
    erase: async () => ({ erased: [], held: [] }) // treatments name no patient
  },
  imports: { treatments },
  exports: createExports,
  demo: fillDemo
})
