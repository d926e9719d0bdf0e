import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AUDIT_ACTIONS } from '@svc/kit/audit'
import type { ProblemTable } from '@svc/kit'
import { expect, test } from 'vitest'
import { coreProblems } from '../../server/core/http/problems.ts'

const root = resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** The first column of the table below a heading, with one code in each row. */
function firstColumn(heading: string): string[] {
  const section = read('docs/api.md').split(/^## /m).find(text => text.startsWith(`${heading}\n`))!
  return [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name!)
}

test('docs/api.md lists all audit words in the order of the code', () => {
  expect(firstColumn('Audit log')).toEqual([...AUDIT_ACTIONS])
})

test('docs/api.md names every event that the modules publish', () => {
  const known = ['budget', 'clinical'].flatMap(layer =>
    [...read(`layers/${layer}/app/staff.ts`).matchAll(/useEventNames\(\)\.add\('\w+', \[([^\]]+)\]/g)]
      .flatMap(([, names]) => [...names!.matchAll(/'([^']+)'/g)].map(([, name]) => name!)))
  expect(known.length).toBeGreaterThan(10)
  expect(firstColumn('Events').sort()).toEqual(known.sort())
})

test('docs/api.md names only codes that exist, with their status', () => {
  const problems: ProblemTable = coreProblems
  const rows = [...read('docs/api.md').matchAll(/^\| (\d\d\d|5xx) \| (.+?) \|/gm)]
  expect(rows.length).toBeGreaterThan(8)
  for (const [, status, codes] of rows)
    for (const [, code] of codes!.matchAll(/`(\w+)`/g))
      expect([code, String(problems[code!]?.status).replace(/^5\d\d$/, '5xx')]).toEqual([code, status])
})
