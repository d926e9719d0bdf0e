import { defineModule } from '@svc/kit'
import { fillDemo } from './demo/index.ts'
import { createExports } from './exports.ts'
import { problems } from './problems.ts'
import { beforeClinicChange } from './services/before-clinic-change.ts'

export default defineModule({
  problems,
  hooks: {
    before_clinic_change: beforeClinicChange,
    erase: async () => ({ erased: [], held: [] }) // treatments name no patient
  },
  exports: createExports,
  demo: fillDemo
})
