import type { ProblemTable } from '@svc/kit'

export const problems: ProblemTable = {
  over_payment: { status: 409, title: 'More than is due', detail: 'This is more than is due on the invoice.' },
  payment_id_used: { status: 409, title: 'Payment id in use', detail: 'Another payment was recorded under this payment_id. Load the invoice and look at its payments.' }
}
