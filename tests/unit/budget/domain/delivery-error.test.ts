import { problem } from '@svc/kit'
import { describe, expect, test } from 'vitest'
import {
  DELIVERY_ERRORS,
  classifyFailure,
  showDeliveryError
} from '../../../../layers/budget/shared/domain/delivery-error.ts'

describe('the response of a mail server is translated into the right code:', () => {
  test.each([
    [
      'a refused recipient',
      { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550 },
      'address_refused',
      true
    ],
    [
      'a temporarily refused recipient',
      { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 451 },
      'server_refused',
      false
    ],
    [
      'a refused sender',
      { code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 553 },
      'server_refused',
      false
    ],
    ['a refused message', { code: 'EMESSAGE', command: 'DATA', responseCode: 554 }, 'message_refused', true],
    ['a wrong password', { code: 'EAUTH', responseCode: 535 }, 'server_refused', false],
    ['an unreachable server', { code: 'ESOCKET', command: 'CONN' }, 'server_unreachable', false],
    ['a missing response', { code: 'ETIMEDOUT' }, 'server_unreachable', false],
    ['a full disk', new Error('ENOSPC'), 'other', false],
    ['an unknown error', null, 'other', false]
  ])('%s', (_, error, code, is_final) => {
    expect(classifyFailure(error)).toEqual({ code, is_final, reason: null })
  })
})

describe('the response of a channel is translated into the right code:', () => {
  test.each([
    [
      'a final failure with a text of the channel',
      problem('undeliverable', { detail: 'Opted out.' }),
      'undeliverable',
      true,
      'Opted out.'
    ],
    ['a final failure without a text', problem('undeliverable'), 'undeliverable', true, null],
    [
      'a final failure with a known reason',
      problem('undeliverable', { reason: 'address_refused', detail: 'x' }),
      'address_refused',
      true,
      null
    ],
    [
      'a temporary failure with a text of the channel',
      problem('busy', { detail: 'Down until noon.' }),
      'other',
      false,
      'Down until noon.'
    ]
  ])('%s', (_, error, code, is_final, reason) => {
    expect(classifyFailure(error)).toEqual({ code, is_final, reason })
  })
})

describe('the reason of a failed delivery that staff see', () => {
  test('is a sentence for each code', () => {
    for (const code of DELIVERY_ERRORS)
      expect(showDeliveryError(code)).toEqual({
        delivery_error_code: code,
        delivery_error: expect.stringMatching(/\.$/)
      })
    expect(showDeliveryError(null)).toEqual({ delivery_error_code: null, delivery_error: null })
  })

  test('never contains the server\'s own words, even if an earlier release stored them', () => {
    expect(showDeliveryError('connect ECONNREFUSED 10.0.0.7:25')).toEqual(showDeliveryError('other'))
  })
})
