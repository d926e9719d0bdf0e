import type { ProblemTable } from '@svc/kit'

export const problems: ProblemTable = {
  over_payment: { status: 409, title: 'More than is due', detail: 'This is more than is due on the invoice.' },
  over_credit: {
    status: 409,
    title: 'More than can be credited',
    detail: 'This is more than can still be credited of this invoice. Drafts of credit notes count too.'
  },
  over_split: {
    status: 409,
    title: 'More than the draft has',
    detail: 'The draft now has fewer units of this line. Reload it and check its lines.'
  },
  nothing_done: {
    status: 409,
    title: 'Nothing done to invoice',
    detail: 'No draft of this budget has a line that is done. Record on the budget what is done, then invoice it.'
  },
  payment_reversed: {
    status: 409,
    title: 'Payment already reversed',
    detail: 'This payment was already reversed. Reload the invoice and check its payments.'
  },
  patient_erased: {
    status: 409,
    title: 'Patient data erased',
    detail: 'The patient\'s data was erased. You can only cancel drafts.'
  },
  invoice_file_mismatch: {
    status: 500,
    title: 'Document damaged',
    detail: 'The stored file of this document is missing or has changed. Contact the operator of this service.'
  },
  advance_reversed: {
    status: 409,
    title: 'Advance already returned',
    detail: 'This advance was already returned. Reload the budget and check its advances.'
  },
  advance_applied: {
    status: 409,
    title: 'Advance applied to an invoice',
    detail: 'This advance pays an invoice. Reverse that payment first; its amount is then in the advance again.'
  },
  over_advance: {
    status: 409,
    title: 'More than the balance',
    detail: 'This is more than the balance of the advance.'
  },
  advance_id_used: {
    status: 409,
    title: 'Advance id in use',
    detail: 'Another advance was recorded under this advance_id. Reload the budget and check its advances.'
  },
  return_id_used: {
    status: 409,
    title: 'Return id in use',
    detail: 'Another return was recorded under this reversal_id. Reload the budget and check its advances.'
  },
  payment_id_used: {
    status: 409,
    title: 'Payment id in use',
    detail: 'Another payment was recorded under this payment_id. Reload the invoice and check its payments.'
  }
}
