import type { ProblemTable } from '@svc/kit'

export const problems: ProblemTable = {
  over_due: { status: 409, title: 'More than is due', detail: 'This is more than is due on the invoice.' },
  over_refund: { status: 409, title: 'More than was paid', detail: 'This is more than is left of the payment.' },
  id_used: {
    status: 409,
    title: 'Id in use',
    detail: 'Another record was made under this id, with other values. Reload the request and check it.'
  },
  request_closed: {
    status: 409,
    title: 'Nothing to pay',
    detail: 'This payment is no longer due. Contact the clinic if you have questions.'
  },
  pay_link_not_found: {
    status: 404,
    title: 'Link not found',
    detail: 'This link is no longer valid, or never was. Contact the clinic.'
  },
  provider_not_ready: {
    status: 503,
    title: 'Payment not possible now',
    detail: 'The clinic can’t take this payment online at the moment. Contact the clinic.'
  },
  provider_unreachable: {
    status: 503,
    title: 'Payment provider unreachable',
    detail: 'The payment provider does not answer. Try again in a few minutes.'
  },
  provider_refused: {
    status: 503,
    title: 'Refused by the payment provider',
    detail: 'The payment provider refused this. Check the payment settings.'
  },
  signature_wrong: { status: 401, title: 'Wrong signature', detail: 'The provider’s signature or time is wrong.' }
}
