import { etagOf, isId, matchesEtag } from '@svc/kit'
import { describe, expect, it } from 'vitest'
import { isNotModified } from '../../../server/core/http/etag.ts'

describe('If-Match', () => {
  it('accepts a request when it is absent, any, or names the version', () => {
    expect([undefined, '*', '"3"', 'W/"3"', '"1", "3"'].map(header => matchesEtag(3, header))).toEqual([
      true,
      true,
      true,
      true,
      true
    ])
    expect(['"2"', '3', ''].map(header => matchesEtag(3, header))).toEqual([false, false, false])
    expect(matchesEtag(3, etagOf(3))).toBe(true)
  })
})

describe('If-None-Match', () => {
  it('omits the body only when it names the version', () => {
    expect(['*', '"3"', 'W/"3"', '"1", "3"'].map(header => isNotModified(3, header))).toEqual([true, true, true, true])
    expect([undefined, '"2"', '3', ''].map(header => isNotModified(3, header))).toEqual([false, false, false, false])
  })
})

describe('the format of an id', () => {
  it('is a UUID in its text form and nothing else', () => {
    expect(isId('d3a0c11c-0000-4000-8000-000000000001')).toBe(true)
    for (const text of [
      '',
      'd3a0c11c00004000800000000000000001',
      'd3a0c11c-0000-4000-8000-000000000001 ',
      '\'; drop table budget'
    ])
      expect(isId(text)).toBe(false)
  })
})
