import type { ProblemTable } from '@svc/kit'

export const problems: ProblemTable = {
  signature_wrong: {
    status: 401,
    title: 'Wrong signature',
    detail: 'The request was not signed with the clinic’s key for this address.'
  },
  no_mobile_number: {
    status: 409,
    title: 'No mobile number',
    detail: 'The patient has no number that can get text messages.'
  }
}
