import { isProblem } from '@svc/kit'
import { describe, expect, test } from 'vitest'
import { parseJson } from '../../../server/core/http/body.ts'

function errorsOf(text: string, at?: string[]): unknown {
  try {
    return parseJson(text, at)
  } catch (error) {
    return isProblem(error) ? [error.code, error.fields.errors] : error
  }
}

describe('a member named __proto__', () => {
  test.each([
    ['at the top', '{"__proto__": {"admin": true}}', '/__proto__'],
    ['in a record', '{"selection": {"a": "b", "__proto__": "c"}}', '/selection/__proto__'],
    ['in a list', '{"items": [{}, {"__proto__": 1}]}', '/items/1/__proto__'],
    ['written with an escape', String.raw`{"a": {"_\u005Fproto__": 1}}`, '/a/__proto__'],
    ['written with an escaped letter', String.raw`{"__\u0070roto__": null}`, '/__proto__']
  ])('%s is reported as an unknown field', (_, text, pointer) => {
    expect(errorsOf(text)).toEqual(['validation_failed', [{ pointer, message: 'Unknown field.' }]])
  })

  test('is reported below the part that contains the JSON', () => {
    expect(errorsOf('{"__proto__": "x"}', ['mapping'])).toEqual([
      'validation_failed',
      [{ pointer: '/mapping/__proto__', message: 'Unknown field.' }]
    ])
  })
})

test('the text __proto__ and other escapes are accepted as values', () => {
  expect(parseJson(String.raw`{"note": "__proto__ \u005f \u0070"}`)).toEqual({ note: '__proto__ _ p' })
})
