import { expect, test } from 'vitest'
import { hostsIn } from '../../../server/core/outgoing/hosts.ts'

test.each<[unknown, string[]]>([
  ['https://Api.example.com:8443/v1?key=x', ['api.example.com']],
  [' http://127.0.0.1:9/ ', ['127.0.0.1']],
  ['api.example.com', ['api.example.com']],
  ['api.example.com:8443', ['api.example.com']],
  ['[::1]:8443', ['[::1]']],
  [{ a: ['one.example', { b: 'https://two.example' }], c: 3, d: null, e: true }, ['one.example', 'two.example']],
  ['Write to pay.example', []],
  ['me@pay.example', []],
  ['pay.example/v1', []],
  ['ftp://pay.example', []],
  ['', []],
  [null, []]
])('the hosts in %j are %j', (value, hosts) => {
  expect(hostsIn(value)).toEqual(hosts)
})
