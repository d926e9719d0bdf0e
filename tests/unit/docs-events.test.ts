import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { eventDocs, FILE } from '../../build/docs/events.ts'

test('docs/events.md equals the output of npm run docs:events, with every event and its payload', () => {
  expect(readFileSync(FILE, 'utf8')).toBe(eventDocs())
})

test('each event in the documentation has a sentence', () => {
  expect([...eventDocs().matchAll(/^## .*\n\n\n/gm)]).toEqual([])
})
