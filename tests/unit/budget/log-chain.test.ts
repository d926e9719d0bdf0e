import { createHmac, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { erasable, firstBreak, headSeal, readable, rowHash, type ChainedRow, type Macs } from '../../../layers/budget/server/services/log-chain.ts'

const macs: Macs = {
  mac: (purpose, data) => createHmac('sha256', purpose).update(data).digest(),
  verifyMac: (purpose, data, mac) => createHmac('sha256', purpose).update(data).digest().equals(mac)
}
const BUDGET = randomUUID()

type Row = ChainedRow & { hash: Buffer }

function aLog(length: number) {
  const rows: Row[] = []
  for (let seq = 1; seq <= length; seq++) {
    const row: ChainedRow = {
      id: randomUUID(), budget_id: BUDGET, clinic_id: randomUUID(), seq, at: `2026-01-0${seq}T10:00:00.123000Z`, action: 'verify', success: seq % 2 === 0,
      actor: 'patient', user_id: null, ip_hash: 'x', user_agent: null, detail: { n: seq, reason: erasable('Mrs Núñez rang') }, prev_hash: rows.at(-1)?.hash ?? null
    }
    rows.push({ ...row, hash: rowHash(macs, row) })
  }
  const hash = rows.at(-1)?.hash ?? null
  return { rows, head: { log_count: length, log_hash: hash, log_seal: hash && headSeal(macs, BUDGET, length, hash) } }
}

describe('the chained log', () => {
  test.each([0, 1, 5])('of %i rows is whole', (length) => {
    const { rows, head } = aLog(length)
    expect(firstBreak(macs, BUDGET, head, rows)).toBeNull()
  })

  test('names the row that was edited, whatever was edited', () => {
    const edits: Partial<Row>[] = [
      { action: 'read' }, { success: true }, { actor: 'staff' }, { user_id: randomUUID() }, { ip_hash: null }, { user_agent: 'x' }, { id: randomUUID() },
      { clinic_id: randomUUID() }, { detail: {} }, { at: '2026-01-03T10:00:00.123001Z' }, { hash: Buffer.alloc(32) }, { prev_hash: null }
    ]
    for (const edit of edits) {
      const { rows, head } = aLog(5)
      Object.assign(rows[2]!, edit)
      expect(firstBreak(macs, BUDGET, head, rows)).toMatchObject({ seq: 3 })
    }
  })

  test('names the place of any deleted row, the newest too', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 8 }), fc.nat(), (length, at) => {
      const { rows, head } = aLog(length)
      rows.splice(at % length, 1)
      expect(firstBreak(macs, BUDGET, head, rows)).toMatchObject({ seq: at % length + 1, why: 'is missing' })
    }))
  })

  test('names a row that was appended', () => {
    const { rows, head } = aLog(3)
    rows.push({ ...rows[2]!, id: randomUUID(), seq: 4, prev_hash: rows[2]!.hash })
    expect(firstBreak(macs, BUDGET, head, rows)).toMatchObject({ seq: 4 })
    const whole = aLog(4)
    const shorter = { log_count: 3, log_hash: whole.rows[2]!.hash, log_seal: headSeal(macs, BUDGET, 3, whole.rows[2]!.hash) }
    expect(firstBreak(macs, BUDGET, shorter, whole.rows)).toMatchObject({ seq: 4, why: 'was added behind the end of the log' })
  })

  test('notices a head that was moved along with the rows', () => {
    const { rows, head } = aLog(4)
    rows.pop()
    expect(firstBreak(macs, BUDGET, { ...head, log_count: 3, log_hash: rows[2]!.hash }, rows)).toMatchObject({ seq: 3 })
    expect(firstBreak(macs, BUDGET, { log_count: 0, log_hash: null, log_seal: null }, rows)).toMatchObject({ seq: 1 })
  })

  test('stays whole when personal text is erased, and names a row whose text was changed', () => {
    const { rows, head } = aLog(3)
    const reason = rows[1]!.detail.reason as { text?: string, salt?: string }
    reason.text = 'Mrs Núñez agreed'
    expect(firstBreak(macs, BUDGET, head, rows)).toMatchObject({ seq: 2, why: 'has a text that was changed' })
    delete reason.text
    delete reason.salt
    expect(firstBreak(macs, BUDGET, head, rows)).toBeNull()
    expect(readable(rows[1]!.detail)).toEqual({ n: 2, reason: null })
    expect(readable(rows[0]!.detail)).toEqual({ n: 1, reason: 'Mrs Núñez rang' })
  })
})
