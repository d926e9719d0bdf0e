import { describe, expect, test } from 'vitest'
import { toFault } from '../../../cli/errors.ts'

describe('an error that nobody foresaw', () => {
  test('is told without the statement and the values of the query that failed', () => {
    const cause = Object.assign(new Error('null value in column "scope" violates not-null constraint'), {
      code: '23502'
    })
    const error = new Error('Failed query: insert into "core_token" values ($1)\nparams: svct_secret', { cause })
    expect(toFault(error)).toEqual({ code: 'internal_error', message: cause.message, exit: 1 })
  })

  test('is told as it is when it is no error', () => {
    expect(toFault('what happened')).toEqual({ code: 'internal_error', message: 'what happened', exit: 1 })
  })
})
