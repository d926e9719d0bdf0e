import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  advanceStatus,
  appliedOf,
  planApplication,
  returnable,
  type AdvanceMoney
} from '../../../layers/billing/shared/domain/advances.ts'

const anAdvance = (amount: bigint, { balance = amount, returned = 0n } = {}) => ({ amount, balance, returned })
const amounts = (plan: { amount: bigint }[]) => plan.map(({ amount }) => amount)

describe('an invoice', () => {
  it('uses open advances up to the amount due, oldest first', () => {
    const advances = [anAdvance(100n), anAdvance(50n), anAdvance(70n)]
    expect(amounts(planApplication(advances, 500n))).toEqual([100n, 50n, 70n])
    expect(amounts(planApplication(advances, 120n))).toEqual([100n, 20n])
    expect(amounts(planApplication(advances, 100n))).toEqual([100n])
    expect(planApplication(advances, 0n)).toEqual([])
  })
})

describe('an advance', () => {
  it('is open while it has a balance, then applied, and returned only if the whole amount was returned', () => {
    expect(advanceStatus(anAdvance(100n, { balance: 1n, returned: 99n }))).toBe('open')
    expect(advanceStatus(anAdvance(100n, { balance: 0n, returned: 99n }))).toBe('applied')
    expect(advanceStatus(anAdvance(100n, { balance: 0n, returned: 100n }))).toBe('returned')
  })

  it('can be returned only up to its balance', () => {
    expect(returnable(anAdvance(100n))).toBe(100n)
    expect(returnable(anAdvance(100n), 30n)).toBe(30n)
    const refused = (advance: AdvanceMoney, asked?: bigint) => {
      try {
        return returnable(advance, asked)
      } catch (error) {
        return (error as { code: string }).code
      }
    }
    expect(refused(anAdvance(100n), 101n)).toBe('over_advance')
    expect(refused(anAdvance(100n, { balance: 0n }))).toBe('advance_applied')
    expect(refused(anAdvance(100n, { balance: 0n, returned: 100n }))).toBe('advance_reversed')
  })
})

/** A budget's money as the service moves it. Each step is one of its use cases. */
type Step
  = { do: 'record', amount: number } | { do: 'issue', total: number }
    | { do: 'reverse', pick: number } | { do: 'return', pick: number, amount: number | null }

const steps: fc.Arbitrary<Step[]> = fc.array(fc.oneof(
  fc.record({ do: fc.constant('record' as const), amount: fc.integer({ min: 1, max: 5000 }) }),
  fc.record({ do: fc.constant('issue' as const), total: fc.integer({ min: 0, max: 8000 }) }),
  fc.record({ do: fc.constant('reverse' as const), pick: fc.nat() }),
  fc.record({
    do: fc.constant('return' as const),
    pick: fc.nat(),
    amount: fc.option(fc.integer({ min: 1, max: 6000 }))
  })
), { maxLength: 60 })

interface Ledger {
  advances: (AdvanceMoney & { id: number })[]
  invoices: { total: bigint, payments: { advance: number, amount: bigint, reversed: boolean }[] }[]
  returns: { advance: number, amount: bigint }[]
}

function move(ledger: Ledger, step: Step) {
  const { advances, invoices, returns } = ledger
  if (step.do === 'record') {
    const amount = BigInt(step.amount)
    advances.push({ id: advances.length, amount, balance: amount, returned: 0n })
  } else if (step.do === 'issue') {
    const total = BigInt(step.total)
    const plan = planApplication(advances.filter(({ balance }) => balance > 0n), total)
    for (const { advance, amount } of plan) advance.balance -= amount
    invoices.push({
      total,
      payments: plan.map(({ advance, amount }) => ({ advance: advance.id, amount, reversed: false }))
    })
  } else if (step.do === 'reverse') {
    const payments = invoices.flatMap(invoice => invoice.payments).filter(({ reversed }) => !reversed)
    const payment = payments[step.pick % Math.max(payments.length, 1)]
    if (!payment) return
    payment.reversed = true
    advances[payment.advance]!.balance += payment.amount
  } else {
    const advance = advances[step.pick % Math.max(advances.length, 1)]
    const asked = step.amount === null ? undefined : BigInt(step.amount)
    if (!advance || advance.balance === 0n || (asked ?? 0n) > advance.balance) return
    const amount = returnable(advance, asked)
    advance.balance -= amount
    advance.returned += amount
    returns.push({ advance: advance.id, amount })
  }
}

describe('after any sequence of advances, invoices, reversals and returns,', () => {
  it('every cent is either in the balance, on an invoice or in a return', () => {
    fc.assert(fc.property(steps, (all) => {
      const ledger: Ledger = { advances: [], invoices: [], returns: [] }
      for (const step of all) {
        move(ledger, step)
        for (const advance of ledger.advances) {
          const mine = <T extends { advance: number, amount: bigint }>(rows: T[]) =>
            rows.filter(row => row.advance === advance.id).reduce((sum, { amount }) => sum + amount, 0n)
          const standing = ledger.invoices.flatMap(({ payments }) => payments.filter(({ reversed }) => !reversed))
          expect(advance.balance >= 0n && advance.returned >= 0n).toBe(true)
          expect(mine(standing)).toBe(appliedOf(advance))
          expect(mine(ledger.returns)).toBe(advance.returned)
          expect(advance.balance + mine(standing) + mine(ledger.returns)).toBe(advance.amount)
        }
        for (const { total, payments } of ledger.invoices) {
          const paid = payments.filter(({ reversed }) => !reversed).reduce((sum, { amount }) => sum + amount, 0n)
          expect(paid <= total).toBe(true)
        }
      }
    }), { numRuns: 300 })
  })
})
