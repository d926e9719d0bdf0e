import { defineModule } from '@svc/kit'
import { fillDemo } from './demo/index.ts'
import { patientEndpoints } from './endpoints/patients.ts'
import { professionalEndpoints } from './endpoints/professionals.ts'
import { createExports } from './exports.ts'

export default defineModule({
  endpoints: [...patientEndpoints, ...professionalEndpoints],
  exports: createExports,
  demo: fillDemo
})
