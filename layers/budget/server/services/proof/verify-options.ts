import { problem } from '@svc/kit'
import type { Scope } from './verify-mark.ts'

type RawOptions = Record<string, string | true | undefined>

const SINCE = 'must be a day such as 2026-03-01 or an instant such as 2026-03-01T12:00:00.000Z'
const SAMPLE = 'must be a percentage above 0% and up to 100%, such as 1% or 0.5%'
const INSTANT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/

/** Throws `validation_failed` with every invalid option. */
export function readScope({ since, sample }: RawOptions): Scope {
  const scope = { since: readSince(since), sample: readSample(sample) }
  const errors = [
    ...scope.since === undefined ? [{ pointer: '/since', code: 'invalid', message: SINCE }] : [],
    ...scope.sample === undefined ? [{ pointer: '/sample', code: 'invalid', message: SAMPLE }] : []
  ]
  if (errors.length > 0) throw problem('validation_failed', { errors })
  return scope as Scope
}

/** A day begins at midnight UTC. A future instant is invalid, because nothing was written since. Undefined: invalid. */
function readSince(since: RawOptions[string]): string | null | undefined {
  if (since === undefined) return null
  const instant = INSTANT.test(String(since)) ? new Date(String(since).replace(',', '.')) : new Date(NaN)
  const isDay
    = !Number.isNaN(instant.getTime()) && (String(since).length > 10 || instant.toISOString().startsWith(String(since)))
  return isDay ? instant.toISOString() : undefined
}

function readSample(sample: RawOptions[string]): number | null | undefined {
  if (sample === undefined) return null
  const percent = Number(/^(\d{1,3}(?:\.\d{1,4})?)%$/.exec(String(sample))?.[1])
  return percent > 0 && percent <= 100 ? percent / 100 : undefined
}
