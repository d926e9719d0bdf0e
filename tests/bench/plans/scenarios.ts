import { core, jobs } from './scenarios-jobs.ts'
import { patient } from './scenarios-patient.ts'
import { staff } from './scenarios-staff.ts'
import type { Scenario } from './world.ts'

/** Jobs first: what their schedule runs beside a later one is known by then. */
export const scenarios: Record<string, Scenario> = { ...core, ...jobs, ...patient, ...staff }
