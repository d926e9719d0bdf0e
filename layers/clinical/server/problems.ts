import type { ProblemTable } from '@svc/kit'

export const problems: ProblemTable = {
  patient_erased: {
    status: 409,
    title: 'Patient data erased',
    detail: 'The patient\'s data was erased. If they come back, add them as a new patient.'
  }
}
