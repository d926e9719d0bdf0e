import type { ProblemTable } from '@svc/kit'

export const problems: ProblemTable = {
  code_taken: { status: 409, title: 'Code taken', detail: 'Another treatment of this clinic already has this code.' }
}
