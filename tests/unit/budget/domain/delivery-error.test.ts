import { problem } from '@svc/kit'
import { describe, expect, test } from 'vitest'
import {
  DELIVERY_ERRORS,
  classifyFailure,
  showDeliveryError
} from '../../../../layers/budget/shared/domain/delivery-error.ts'

describe('what a mail server answered', () => {
  test.each([
    [
      'a recipient that is refused',
      { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550 },
      'address_refused',
      true
    ],
    [
      'a recipient that is refused for now',
      { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 451 },
      'server_refused',
      false
    ],
    [
      'a sender that is refused',
      { code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 553 },
      'server_refused',
      false
    ],
    ['a message that is refused', { code: 'EMESSAGE', command: 'DATA', responseCode: 554 }, 'message_refused', true],
    ['a wrong password', { code: 'EAUTH', responseCode: 535 }, 'server_refused', false],
    ['nobody there', { code: 'ESOCKET', command: 'CONN' }, 'server_unreachable', false],
    ['no answer', { code: 'ETIMEDOUT' }, 'server_unreachable', false],
    ['a full disk', new Error('ENOSPC'), 'other', false],
    ['anything', null, 'other', false]
  ])('%s', (_, error, code, is_final) => {
    expect(classifyFailure(error)).toEqual({ code, is_final, reason: null })
  })
})

describe('what a channel answered', () => {
  test.each([
    ['never, in its own words', problem('undeliverable', { detail: 'Opted out.' }), 'undeliverable', true, 'Opted out.'],
    ['never, without a word', problem('undeliverable'), 'undeliverable', true, null],
    ['never, for a reason that we know', problem('undeliverable', { reason: 'address_refused', detail: 'x' }), 'address_refused', true, null],
    ['not now, in its own words', problem('busy', { detail: 'Down until noon.' }), 'other', false, 'Down until noon.']
  ])('%s', (_, error, code, is_final, reason) => {
    expect(classifyFailure(error)).toEqual({ code, is_final, reason })
  })
})

describe('what the staff read', () => {
  test('is a sentence for each', () => {
    for (const code of DELIVERY_ERRORS)
      expect(showDeliveryError(code)).toEqual({
        delivery_error_code: code,
        delivery_error: expect.stringMatching(/\.$/)
      })
    expect(showDeliveryError(null)).toEqual({ delivery_error_code: null, delivery_error: null })
  })

  test('is nothing of the server\'s own words, which an earlier release kept', () => {
    expect(showDeliveryError('connect ECONNREFUSED 10.0.0.7:25')).toEqual(showDeliveryError('other'))
  })
})
