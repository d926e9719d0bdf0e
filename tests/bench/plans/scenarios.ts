import { core, jobs } from './scenarios-jobs.ts'
import { patient } from './scenarios-patient.ts'
import { staff } from './scenarios-staff.ts'
import type { Scenario } from './world.ts'

/** Jobs first, because then the statements of their schedules are known when they run during a later scenario. */
export const scenarios: Record<string, Scenario> = { ...core, ...jobs, ...patient, ...staff }
