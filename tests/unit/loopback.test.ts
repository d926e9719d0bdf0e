import { expect, test } from 'vitest'
import { isPublicHost, isThisMachine, opensHereOnly } from '../../server/core/loopback.ts'

test.each([
  ['localhost', true, true, false],
  ['demo.localhost', true, true, false],
  ['127.1.2.3', true, true, false],
  ['::1', true, true, false],
  ['[::1]', true, true, false],
  ['::ffff:127.0.0.1', true, true, false],
  ['0.0.0.0', false, true, false],
  ['[::]', false, true, false],
  ['192.168.1.20', false, false, false],
  ['[fd00::1]', false, false, false],
  ['203.0.113.7', false, false, false], // for documentation
  ['9.9.9.9', false, false, true],
  ['budgets.clinic.example', false, false, true],
  ['localhost.evil.example', false, false, true]
])('the address %s is this machine: %s, opens here only: %s, is public: %s', (host, here, opensHere, isPublic) => {
  expect([isThisMachine(host), opensHereOnly(host), isPublicHost(host)]).toEqual([here, opensHere, isPublic])
})
