import type { IncomingMessage } from 'node:http'
import type { H3Event } from 'h3'
import { describe, expect, test } from 'vitest'
import { contextOf, toAddress } from '../../../server/core/http/request.ts'

/** A request as the server receives it, from the address of the socket. */
function clientOf({
  from = '203.0.113.9',
  forwarded,
  trusted_proxies = 0
}: {
  from?: string
  forwarded?: string
  trusted_proxies?: number
}) {
  const req = {
    headers: forwarded ? { 'x-forwarded-for': forwarded } : {},
    socket: { remoteAddress: from }
  } as unknown as IncomingMessage
  return contextOf({ node: { req }, context: {} } as unknown as H3Event, { trusted_proxies }).client.ip
}

describe('the caller\'s address', () => {
  test('is the socket\'s address without a trusted proxy, whatever X-Forwarded-For contains', () => {
    expect(clientOf({ forwarded: '1.2.3.4' })).toBe('203.0.113.9')
  })

  test('is the hop that the outermost trusted proxy saw, whatever the caller wrote before it', () => {
    expect(clientOf({ forwarded: '198.51.100.7', trusted_proxies: 1 })).toBe('198.51.100.7')
    expect(clientOf({ forwarded: '6.6.6.6, 198.51.100.7', trusted_proxies: 1 })).toBe('198.51.100.7')
    expect(clientOf({ forwarded: '6.6.6.6, 198.51.100.7, 10.0.0.2', trusted_proxies: 2 })).toBe('198.51.100.7')
  })

  test('is the socket\'s address when a header has no valid address', () => {
    expect(clientOf({ forwarded: 'nonsense', trusted_proxies: 1 })).toBe('203.0.113.9')
  })

  test('is counted by /64 for IPv6, and as IPv4 when it is IPv4 mapped into IPv6', () => {
    expect(toAddress('2001:db8:1:2:3:4:5:6')).toEqual({ ip: '2001:db8:1:2:3:4:5:6', ip_key: '2001:db8:1:2::/64' })
    expect(toAddress('2001:db8:1:2:ffff::1').ip_key).toBe('2001:db8:1:2::/64')
    expect(toAddress('::ffff:203.0.113.9')).toEqual({ ip: '203.0.113.9', ip_key: '203.0.113.9' })
    expect(toAddress(undefined).ip).toBe('0.0.0.0')
  })

  test('is that of the page\'s own caller when a page is rendered on the server', () => {
    const svc = { request_id: 'r', client: { ip: '198.51.100.7', ip_key: '198.51.100.7', user_agent: null } }
    const event = { node: { req: { headers: {} } }, context: { svc } } as unknown as H3Event
    expect(contextOf(event, { trusted_proxies: 0 })).toBe(svc)
  })
})
