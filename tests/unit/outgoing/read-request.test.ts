import { describe, expect, test } from 'vitest'
import { readRequest } from '../../../server/core/outgoing/read-request.ts'

const read = (request: object = {}, url = 'https://api.example.com/v1') => readRequest(url, request, '1.2.3')

describe('an outgoing call', () => {
  test('is a GET with default limits, unless it has other values', () => {
    expect(read()).toEqual({
      sent: {
        url: new URL('https://api.example.com/v1'),
        method: 'GET',
        headers: { 'user-agent': 'dental-budget-service/1.2.3', 'accept-encoding': 'identity' },
        body: undefined
      },
      timeout_ms: 10_000,
      max_bytes: 1_000_000
    })
    expect(read({ method: 'post', headers: { 'X-Key': 'a', 'User-Agent': 'me' }, body: 'b', timeout_ms: 5, max_bytes: 9 }))
      .toMatchObject({
        sent: { method: 'POST', headers: { 'x-key': 'a', 'user-agent': 'me' }, body: 'b' },
        timeout_ms: 5,
        max_bytes: 9
      })
  })

  test.each<[string, object]>([
    ['timeout_ms', { timeout_ms: 10_001 }], ['timeout_ms', { timeout_ms: 0 }], ['timeout_ms', { timeout_ms: NaN }],
    ['max_bytes', { max_bytes: 1_000_001 }], ['max_bytes', { max_bytes: '9' }],
    ['can\'t send CONNECT', { method: 'CONNECT' }], ['can\'t send GET /', { method: 'GET /' }],
    ['the header host', { headers: { Host: 'other.example' } }],
    ['the header content-length, transfer-encoding', { headers: { 'Content-Length': '0', 'Transfer-Encoding': 'chunked' } }],
    ['Invalid character', { headers: { 'x-key': 'a\r\nhost: b' } }],
    ['must be a valid HTTP token', { headers: { 'x key': 'a' } }],
    ['headers as a plain object', { headers: new Headers({ authorization: 'Bearer k3y' }) }],
    ['a body of text or bytes', { method: 'POST', body: { amount: '5.00' } }],
    ['a body of text or bytes', { method: 'POST', body: new URLSearchParams('a=b') }]
  ])('is refused with %s in the error', (message, request) => {
    expect(() => read(request)).toThrow(message)
  })

  test.each(['/v1', 'api.example.com/v1', 'ftp://api.example.com/', 'file:///etc/passwd', 'https://a:b@api.example.com/'])(
    'cannot be made to %s',
    url => expect(() => read({}, url)).toThrow('ctx.http.fetch')
  )
})
