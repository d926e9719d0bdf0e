import { expect, test } from 'vitest'
import { createAddresses } from '../../../server/match-address.ts'

const isKnown = createAddresses([
  '/',
  '/users',
  '/users/:id()',
  '/p/budget/:token()',
  '/b/:code?',
  '/docs/:rest(.*)*',
  '/files/file-:id().txt',
  '/api/_icons/:collection'
])

test.each([
  '/', '/users', '/users/', '/users/7', '/p/budget/x', '/b', '/b/1', '/docs', '/docs/a/b', '/files/file-7.txt', '/api/_icons/lucide'
])('the address %s is found', path => expect(isKnown(path)).toBe(true))

test.each([
  '', '/user', '/users/7/8', '/p/budget', '/p/budget/', '/b/1/2', '/files/file-7xtxt', '/constructor', '/api/nope'
])('the address %s is not found', path => expect(isKnown(path)).toBe(false))
