import { describe, expect, test } from 'vitest'
import { depositOf } from '../../../layers/payments/shared/domain/deposit.ts'
import { isIban, joinIban } from '../../../layers/payments/shared/domain/iban.ts'
import { attentionOf, canBecome, stateByAttempts } from '../../../layers/payments/shared/domain/request-state.ts'
import { isAsked, nextCheck, nextRefundCheck } from '../../../layers/payments/shared/domain/schedule.ts'

const percent = (hundredths: number) => ({ percent: hundredths, amount: null, from_total: 0n })
const amount = (minor: bigint) => ({ percent: null, amount: minor, from_total: 0n })

describe('a deposit', () => {
  test.each([
    ['30 % of 820.80 is 246.24', 82080n, percent(3000), 24624n],
    ['30 % of 0.05 is 0.02', 5n, percent(3000), 2n],
    ['33.33 % of 821 without minor units is 274', 821n, percent(3333), 274n],
    ['100 % is the total', 82080n, percent(10_000), 82080n],
    ['1,000.00 on a total of 820.80 is 820.80', 82080n, amount(100_000n), 82080n],
    ['0 % needs no deposit', 82080n, percent(0), 0n]
  ])('%s', (_, total, terms, expected) => {
    expect(depositOf(total, terms)).toBe(expected)
  })

  test('is not due below the total from which the clinic asks for one', () => {
    const terms = { percent: 3000, amount: null, from_total: 10_000n } as const
    expect([9999n, 10_000n].map(total => depositOf(total, terms))).toEqual([0n, 3000n])
  })
})

describe('the state of a request', () => {
  test('is pending while an attempt is, failed after a failed one, and open otherwise', () => {
    expect(stateByAttempts([])).toBe('open')
    expect(stateByAttempts(['failed', 'pending'])).toBe('pending')
    expect(stateByAttempts(['open'])).toBe('pending')
    expect(stateByAttempts(['cancelled', 'failed'])).toBe('failed')
    expect(stateByAttempts(['failed', 'cancelled'])).toBe('open')
  })

  test('ends with cancelled and refunded', () => {
    expect(canBecome('cancelled', 'paid')).toBe(false)
    expect(canBecome('paid', 'refunded')).toBe(true)
    expect(canBecome('paid', 'cancelled')).toBe(false)
  })
})

describe('a payment', () => {
  const asked = { amount: 24624n, currency: 'EUR' }
  test('of another amount or currency is a mismatch', () => {
    expect(attentionOf('pending', asked, { amount: 24623n, currency: 'EUR' })).toBe('mismatch')
    expect(attentionOf('pending', asked, { amount: 24624n, currency: 'USD' })).toBe('mismatch')
  })

  test('pays a request once; a second one, and one after the end, need attention', () => {
    expect(attentionOf('pending', asked, asked)).toBe(null)
    expect(attentionOf('paid', asked, asked)).toBe('paid_twice')
    expect(attentionOf('refunded', asked, asked)).toBe('paid_twice')
    expect(attentionOf('cancelled', asked, asked)).toBe('paid_late')
  })
})

test('a pending attempt is asked for after 1, 5 and 30 minutes, then hourly for 3 days', () => {
  const created_at = new Date('2026-12-01T10:00:00Z')
  const minutes: number[] = []
  let now = created_at
  for (let checks = 0; ; checks += 1) {
    const next = nextCheck({ created_at, now, checks })
    if (!next) break
    now = next
    minutes.push((now.getTime() - created_at.getTime()) / 60_000)
  }
  expect(minutes.slice(0, 5)).toEqual([1, 5, 30, 90, 150])
  expect(minutes.at(-1)).toBe(72 * 60 - 30)
})

test('a declined order of Redsys is asked for three times, and no other that has ended', () => {
  const failed = { provider: 'redsys', state: 'failed' } as const
  expect([0, 2, 3].map(checks => isAsked({ ...failed, checks }))).toEqual([true, true, false])
  expect(isAsked({ provider: 'stripe', state: 'failed', checks: 0 })).toBe(false)
  expect(isAsked({ provider: 'redsys', state: 'paid', checks: 0 })).toBe(false)
})

test('a refund on its way is asked for every hour, and after three days every day', () => {
  const created_at = new Date('2026-12-01T10:00:00Z')
  const hoursUntil = (now: Date) => (nextRefundCheck({ created_at, now }).getTime() - now.getTime()) / 3_600_000
  expect(['2026-12-02T10:00:00Z', '2026-12-09T10:00:00Z'].map(now => hoursUntil(new Date(now)))).toEqual([1, 24])
})

test('an IBAN has correct check digits', () => {
  expect(joinIban('es91 2100 0418 4502 0005 1332')).toBe('ES9121000418450200051332')
  expect(isIban('ES9121000418450200051332')).toBe(true)
  expect(isIban('ES9121000418450200051333')).toBe(false)
  expect(isIban('ES91')).toBe(false)
})
