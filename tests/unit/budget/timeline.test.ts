import { describe, expect, test } from 'vitest'
import type { BudgetDetail } from '../../../layers/budget/shared/contract.ts'
import { groupedCode, holdsCode } from '../../../layers/budget/app/utils/staff-code.ts'
import { timelineOf, wordOf, type LogRow } from '../../../layers/budget/app/utils/timeline.ts'
import { shortAgent } from '../../../layers/budget/app/utils/user-agent.ts'

const aRow = (fields: Partial<LogRow>): LogRow => ({
  id: fields.at ?? 'row',
  budget_id: 'b',
  at: '2026-11-20T10:00:00Z',
  action: 'read',
  success: true,
  actor: 'patient',
  user_id: null,
  user_name: null,
  ip_hash: null,
  user_agent: null,
  detail: {},
  prev_hash: null,
  hash: '',
  ...fields
})
const aBudget = (fields: Partial<BudgetDetail> = {}) =>
  ({
    created_at: '2026-11-18T10:00:00Z',
    created_by: { id: 'u', name: 'Elena Vidal' },
    status: 'sent',
    closed_at: null,
    superseded_by_user: null,
    closed_reason: null,
    expires_at: null,
    ...fields
  }) as BudgetDetail
const actions = (facts: { action: string }[]) => facts.map(({ action }) => action)

describe('the timeline', () => {
  test('has the entries of the log and the dates of the budget, newest first', () => {
    const budget = aBudget({ status: 'cancelled', closed_at: '2026-11-21T10:00:00Z', closed_reason: 'moved away' })
    const facts = timelineOf(
      budget,
      [aRow({ at: '2026-11-20T10:00:00Z' }), aRow({ at: '2026-11-19T10:00:00Z', action: 'link_sent' })],
      true
    )
    expect(actions(facts)).toEqual(['cancelled', 'read', 'link_sent', 'created'])
    expect(facts[0]!.detail).toEqual({ reason: 'moved away' })
  })

  test('shows an end only once if the log has it too', () => {
    const budget = aBudget({ status: 'cancelled', closed_at: '2026-11-21T10:00:00Z', closed_reason: 'moved away' })
    const row = aRow({
      at: '2026-11-21T10:00:00Z',
      action: 'cancelled',
      user_name: 'Rosa Prieto',
      detail: { reason: 'moved away' }
    })
    const facts = timelineOf(budget, [row], true)
    expect(actions(facts)).toEqual(['cancelled', 'created'])
    expect(facts[0]).toMatchObject({ person: 'Rosa Prieto', detail: { reason: 'moved away' } })
  })

  test('names the person who sent the version that replaced this one', () => {
    const budget = aBudget({
      status: 'superseded',
      closed_at: '2026-11-21T10:00:00Z',
      superseded_by_user: { id: 'v', name: 'Rosa Prieto' }
    })
    expect(timelineOf(budget, [], true)[0]).toMatchObject({ action: 'superseded', person: 'Rosa Prieto' })
  })

  test('keeps the log\'s order for entries with the same time', () => {
    expect(
      actions(timelineOf(aBudget(), [aRow({ id: '2', action: 'read' }), aRow({ id: '1', action: 'viewed' })], true))
    ).toEqual(['read', 'viewed', 'created'])
  })

  test('shows the first entry only after the older rows are loaded', () => {
    expect(actions(timelineOf(aBudget(), [aRow({})], false))).toEqual(['read'])
  })

  test('shows when an expired budget expired', () => {
    expect(timelineOf(aBudget({ status: 'expired', expires_at: '2026-12-01T00:00:00Z' }), [], true)[0]).toMatchObject({
      action: 'expired',
      at: '2026-12-01T00:00:00Z',
      actor: 'system'
    })
  })

  test.each<[Partial<LogRow>, string]>([
    [{ action: 'verify' }, 'verify'],
    [{ action: 'verify', success: false }, 'verify_failed'],
    [{ action: 'accepted', success: false }, 'accepted_failed'],
    [{ action: 'link_sent', detail: { channel: 'email' } }, 'link_sent'],
    [{ action: 'link_sent', detail: { channel: 'manual' } }, 'link_given'],
    [{ action: 'link_sent', detail: { channel: 'sms' } }, 'link_sent_by'],
    [{ action: 'link_resent', detail: { channel: 'sms', new_link: false } }, 'link_resent_by'],
    [{ action: 'link_resent', detail: { channel: 'manual', new_link: false } }, 'link_given_again'],
    [{ action: 'link_resent', detail: { channel: 'email', new_link: true } }, 'link_new'],
    [{ action: 'code_set', detail: { generated: true } }, 'code_generated'],
    [{ action: 'signed_pdf_download', detail: { as: 'evidence' } }, 'evidence_download']
  ])('shows %o as %s', (row, word) => expect(wordOf(timelineOf(aBudget(), [aRow(row)], true)[0]!)).toBe(word))
})

test.each<[string | null, string | null]>([
  [
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
    'Chrome · Android'
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    'Safari · iPhone'
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0',
    'Edge · Windows'
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox · Linux'],
  ['curl/8.5.0', 'curl'],
  ['', null],
  [null, null]
])('the user agent %s is shortened to %s', (userAgent, short) => expect(shortAgent(userAgent)).toBe(short))

test.each([
  ['4829', '4829'],
  ['48291', '482 91'],
  ['482913', '482 913'],
  ['48291357', '4829 1357']
])('the code %s is read out as %s', (code, grouped) => expect(groupedCode(code)).toBe(grouped))

test('a code in a message is found even if it has spaces or dashes', () => {
  expect(holdsCode('Your code: 48-29 13', '482913')).toBe(true)
  expect(holdsCode('Call us: 91 555 12 34', '482913')).toBe(false)
})
