import type { OutgoingAnswer } from '@svc/kit'
import { describe, expect, test } from 'vitest'
import { findRedirect } from '../../../server/core/outgoing/redirect.ts'

const sent = (fields: object = {}) => ({
  url: new URL('https://api.example.com/v1/payments'),
  method: 'POST',
  headers: { 'content-type': 'application/json', 'authorization': 'Bearer x' },
  body: '{}',
  ...fields
})
const answer = (status: number, location?: string): OutgoingAnswer =>
  ({ status, headers: location === undefined ? {} : { location }, bytes: new Uint8Array() })

describe('a redirect', () => {
  test.each([307, 308])('with status %i repeats the same request at the new address', (status) => {
    expect(findRedirect(answer(status, '/v2/payments'), sent())).toEqual(
      sent({ url: new URL('https://api.example.com/v2/payments') })
    )
  })

  test.each([
    [303, 'POST'], [303, 'DELETE'], [301, 'POST'], [302, 'POST']
  ])('%i after %s is followed with GET and no body', (status, method) => {
    expect(findRedirect(answer(status, 'done'), sent({ method }))).toEqual({
      url: new URL('https://api.example.com/v1/done'),
      method: 'GET',
      headers: { authorization: 'Bearer x' },
      body: undefined
    })
  })

  test.each([[301, 'PUT'], [302, 'GET'], [303, 'HEAD']])('%i after %s keeps the method', (status, method) => {
    expect(findRedirect(answer(status, 'done'), sent({ method }))?.method).toBe(method)
  })

  test.each([
    'https://other.example.com/', 'https://api.example.com.evil.test/', '//evil.test/', 'http://api.example.com/v1/payments',
    'https://api.example.com:8443/', 'javascript:alert(1)'
  ])('to %s is refused', (location) => {
    expect(() => findRedirect(answer(302, location), sent())).toThrow('a redirect to another host')
  })

  test.each([
    [200, '/x'], [304, '/x'], [302, undefined], [302, 'https://']
  ])('is not %i with location %s', (status, location) => {
    expect(findRedirect(answer(status, location), sent())).toBeNull()
  })
})
