import { describe, expect, test } from 'vitest'
import { toFault } from '../../../cli/errors.ts'

describe('an unexpected error', () => {
  test('is printed without the statement and the values of the failed query', () => {
    const cause = Object.assign(new Error('null value in column "scope" violates not-null constraint'), {
      code: '23502'
    })
    const error = new Error('Failed query: insert into "core_token" values ($1)\nparams: svct_secret', { cause })
    expect(toFault(error)).toEqual({ code: 'internal_error', message: cause.message, exit: 1 })
  })

  test('is printed unchanged when the thrown value is not an Error', () => {
    expect(toFault('what happened')).toEqual({ code: 'internal_error', message: 'what happened', exit: 1 })
  })
})
