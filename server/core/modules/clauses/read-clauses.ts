import type { Clause } from '@svc/kit'
import { multiLine, singleLine, visible } from '@svc/kit/text'
import * as z from 'zod'

/** In one document, of all modules together. */
export const MAX_CLAUSES = 10
const MAX_TITLE = 200
const MAX_TEXT = 2000

const lengthOf = (text: string) => [...text].length
const atMost = (max: number) => [
  (text: string) => lengthOf(text) <= max,
  `Must have at most ${max} characters.`
] as const

const Clauses = z.array(z.strictObject({
  id: z.string().regex(/^[a-z0-9_-]{1,50}$/, 'Must be 1 to 50 of the characters a-z, 0-9, "_" and "-".'),
  title: z.string().check(singleLine).trim().refine(...atMost(MAX_TITLE)).check(visible),
  text: z.string().check(multiLine).trim().refine(...atMost(MAX_TEXT)).check(visible)
})).superRefine((clauses, { issues }) => {
  const ids = clauses.map(({ id }) => id)
  const twice = ids.find((id, index) => ids.indexOf(id) < index)
  if (twice !== undefined)
    issues.push({ code: 'custom', path: [], message: `The id "${twice}" occurs twice.`, input: clauses })
})

/** Validates a module's answer. Throws an error with the first fault. */
export function readClauses(answer: unknown): Clause[] {
  const read = Clauses.safeParse(answer)
  if (read.success) return read.data
  const { path, message } = read.error.issues[0]!
  throw new Error(`its answer isn’t a list of {id, title, text}: ${['clauses', ...path].join('.')}: ${message}`)
}
