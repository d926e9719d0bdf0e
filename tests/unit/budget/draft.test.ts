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

describe('what keeps a draft from being an acceptance', () => {
  test.each<[string, Partial<Draft>, string[]]>([
    ['nothing', {}, []],
    ['no name', { signer_name: '  ' }, ['signer_name']],
    ['no consent', { consent: false }, ['consent']],
    ['a typed signature that is another name', { method: 'typed', typed: 'Lucía' }, ['typed']],
    [
      'a typed signature that is empty, like the name',
      { method: 'typed', typed: '', signer_name: '' },
      ['signer_name', 'typed']
    ],
    ['nothing drawn', { method: 'drawn' }, ['image']],
    [
      'a drawing left behind by another way of signing is no obstacle',
      { method: 'click', image: 'data:image/png;base64,AA==' },
      []
    ]
  ])('%s', (_, given, missing) => expect(missingToAccept(aDraft(given))).toEqual(missing))

  test('a rejection needs a category or words', () => {
    expect(missingToReject(aDraft({ reason: ' \n' }))).toEqual(['reason'])
    expect(missingToReject(aDraft({ reason_code: 'price' }))).toEqual([])
    expect(missingToReject(aDraft({ reason: 'Too dear' }))).toEqual([])
  })
})

describe('a complete draft is a request that the contract takes', () => {
  test.each<Partial<Draft>>([
    { method: 'click' },
    { method: 'typed', typed: 'Lucia Muñoz' },
    { method: 'drawn', image: 'data:image/png;base64,AA==' }
  ])('%j', (given) => {
    expect(AcceptRequest.safeParse(acceptRequest(aDraft(given), { content_digest: DIGEST })).success).toBe(true)
  })

  test('with a category alone', () => {
    expect(rejectRequest(aDraft({ reason: ' ', reason_code: 'time' }))).toEqual({ reason_code: 'time' })
    expect(RejectRequest.safeParse({ reason_code: 'time' }).success).toBe(true)
    expect(RejectRequest.safeParse({}).success).toBe(false)
  })

  test('with and without a category', () => {
    expect(RejectRequest.safeParse(rejectRequest(aDraft({ reason: 'Too dear' }))).success).toBe(true)
    expect(RejectRequest.safeParse(rejectRequest(aDraft({ reason: 'Too dear', reason_code: 'price' }))).success).toBe(
      true
    )
  })
})

test('the fields that the server names are shown where they are', () => {
  const errors = [
    { pointer: '/signer_name', message: '' },
    { pointer: '/signature/image', message: '' },
    { pointer: '/elsewhere', message: '' }
  ]
  expect(fieldsOf({ code: 'validation_failed', status: 422, errors })).toEqual(['signer_name', 'image'])
})
