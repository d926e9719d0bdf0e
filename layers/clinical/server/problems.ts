import type { ProblemTable } from '@svc/kit'

export const problems: ProblemTable = {
  patient_erased: {
    status: 409,
    title: 'Patient erased',
    detail: 'The patient\'s data was erased. Add them as a new patient if they come again.'
  }
}
