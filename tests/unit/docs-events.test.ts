import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { eventDocs, FILE } from '../../build/docs/events.ts'

test('docs/events.md has every event with its payload, as the types say: npm run docs:events', () => {
  expect(readFileSync(FILE, 'utf8')).toBe(eventDocs())
})

test('each event has a sentence', () => {
  expect([...eventDocs().matchAll(/^## .*\n\n\n/gm)]).toEqual([])
})
