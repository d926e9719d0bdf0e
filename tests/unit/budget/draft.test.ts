import { describe, expect, test } from 'vitest'
import {
  acceptRequest,
  emptyDraft,
  fieldsOf,
  missingToAccept,
  missingToReject,
  rejectRequest,
  type Draft
} from '../../../layers/budget/app/utils/draft.ts'
import { AcceptRequest, RejectRequest } from '../../../layers/budget/shared/public.ts'

const aDraft = (given: Partial<Draft> = {}): Draft => ({
  ...emptyDraft(),
  signer_name: 'Lucía Muñoz',
  consent: true,
  ...given
})
const DIGEST = 'a'.repeat(64)

describe('the check before an acceptance is sent finds missing fields:', () => {
  test.each<[string, Partial<Draft>, string[]]>([
    ['nothing in a complete acceptance', {}, []],
    ['a missing name', { signer_name: '  ' }, ['signer_name']],
    ['a missing consent', { consent: false }, ['consent']],
    ['a typed signature that differs from the name', { method: 'typed', typed: 'Lucía' }, ['typed']],
    [
      'a typed signature and a name that are both empty',
      { method: 'typed', typed: '', signer_name: '' },
      ['signer_name', 'typed']
    ],
    ['a missing drawing', { method: 'drawn' }, ['image']],
    [
      'nothing when a drawing of another way of signing is left',
      { method: 'click', image: 'data:image/png;base64,AA==' },
      []
    ]
  ])('%s', (_, given, missing) => expect(missingToAccept(aDraft(given))).toEqual(missing))

  test('a rejection needs a category or a reason', () => {
    expect(missingToReject(aDraft({ reason: ' \n' }))).toEqual(['reason'])
    expect(missingToReject(aDraft({ reason_code: 'price' }))).toEqual([])
    expect(missingToReject(aDraft({ reason: 'Too dear' }))).toEqual([])
  })
})

describe('the request of a complete draft is valid for the API', () => {
  test.each<Partial<Draft>>([
    { method: 'click' },
    { method: 'typed', typed: 'Lucia Muñoz' },
    { method: 'drawn', image: 'data:image/png;base64,AA==' }
  ])('with %j', (given) => {
    expect(AcceptRequest.safeParse(acceptRequest(aDraft(given), { content_digest: DIGEST })).success).toBe(true)
  })

  test('for a rejection with only a category', () => {
    expect(rejectRequest(aDraft({ reason: ' ', reason_code: 'time' }))).toEqual({ reason_code: 'time' })
    expect(RejectRequest.safeParse({ reason_code: 'time' }).success).toBe(true)
    expect(RejectRequest.safeParse({}).success).toBe(false)
  })

  test('for a rejection with a reason, with and without a category', () => {
    expect(RejectRequest.safeParse(rejectRequest(aDraft({ reason: 'Too dear' }))).success).toBe(true)
    expect(RejectRequest.safeParse(rejectRequest(aDraft({ reason: 'Too dear', reason_code: 'price' }))).success).toBe(
      true
    )
  })
})

test('fields that the server names are shown beside the right inputs', () => {
  const errors = [
    { pointer: '/signer_name', message: '' },
    { pointer: '/signature/image', message: '' },
    { pointer: '/elsewhere', message: '' }
  ]
  expect(fieldsOf({ code: 'validation_failed', status: 422, errors })).toEqual(['signer_name', 'image'])
})
