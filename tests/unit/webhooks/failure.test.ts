import { expect, test } from 'vitest'
import { showFailure, writeFailure } from '../../../server/core/webhooks/failure.ts'

test.each([
  [{ code: 'answered', value: '500' }, 'The receiver answered 500.'],
  [
    { code: 'no_answer', value: 'ECONNREFUSED connect ECONNREFUSED 127.0.0.1:9' },
    'No answer: ECONNREFUSED connect ECONNREFUSED 127.0.0.1:9.'
  ],
  [{ code: 'no_answer', value: null }, 'No answer: the connection failed.'],
  [{ code: 'other', value: '' }, 'Something else went wrong.'],
  [
    { code: 'private_address', value: null },
    'The address is in a private network. Only the operator of this service can allow that.'
  ]
] as const)('the failure %j is stored as a code and shown as an English sentence', (failure, text) => {
  expect(showFailure(writeFailure(failure))).toEqual({ text, failure })
})

test.each(['The target answered 500.', 'No answer: ECONNREFUSED.', 'unknown_code:x'])(
  'a reason that an earlier or a later release stored is shown unchanged: %s',
  (stored) => {
    expect(showFailure(stored)).toEqual({ text: stored, failure: null })
  }
)

test('a delivery without a stored reason has no failure', () => {
  expect(showFailure(null)).toEqual({ text: null, failure: null })
})
