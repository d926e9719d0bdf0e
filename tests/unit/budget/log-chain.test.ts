import { createHmac, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { logFacts } from '../../../layers/budget/server/services/log/log-facts.ts'
import {
  checkpointSeal,
  erasable,
  firstBreak,
  headSeal,
  readable,
  rowHash,
  startLog,
  type ChainedRow,
  type Head,
  type Log,
  type Macs
} from '../../../layers/budget/server/services/log/log-chain.ts'

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
      id: randomUUID(),
      budget_id: BUDGET,
      clinic_id: randomUUID(),
      seq,
      at: `2026-01-0${seq}T10:00:00.123000Z`,
      action: 'verify',
      success: seq % 2 === 0,
      actor: 'patient',
      user_id: null,
      ip_hash: 'x',
      user_agent: null,
      detail: { n: seq, reason: erasable('Mrs Núñez rang') },
      prev_hash: rows.at(-1)?.hash ?? null
    }
    rows.push({ ...row, hash: rowHash(macs, row) })
  }
  const hash = rows.at(-1)?.hash ?? null
  return { rows, head: { log_count: length, log_hash: hash, log_seal: headSeal(macs, BUDGET, length, hash) } }
}

const broken = (
  head: Head,
  rows: Row[],
  { checkpoint = null, erased_at = null }: Partial<Pick<Log, 'checkpoint'> & Log['budget']> = {}
) => firstBreak(macs, { budget: { id: BUDGET, erased_at, ...head }, checkpoint, rows })

describe('the check of the chained log', () => {
  test('accepts the seal of an empty log for its own budget only', () => {
    const { id, log_seal } = startLog(macs)
    expect(
      firstBreak(macs, {
        budget: { id, erased_at: null, log_count: 0, log_hash: null, log_seal },
        checkpoint: null,
        rows: []
      })
    ).toBeNull()
    for (const wrong of [null, headSeal(macs, BUDGET, 0, null)]) {
      expect(
        firstBreak(macs, {
          budget: { id, erased_at: null, log_count: 0, log_hash: null, log_seal: wrong },
          checkpoint: null,
          rows: []
        })
      ).toMatchObject({ seq: 1, why: 'is not the sealed end of the log' })
    }
  })

  test.each([0, 1, 5])('accepts an unchanged log of %i rows', (length) => {
    const { rows, head } = aLog(length)
    expect(broken(head, rows)).toBeNull()
  })

  test('names the edited row, whichever column was edited', () => {
    const edits: Partial<Row>[] = [
      { action: 'read' },
      { success: true },
      { actor: 'staff' },
      { user_id: randomUUID() },
      { ip_hash: null },
      { user_agent: 'x' },
      { id: randomUUID() },
      { clinic_id: randomUUID() },
      { detail: {} },
      { at: '2026-01-03T10:00:00.123001Z' },
      { hash: Buffer.alloc(32) },
      { prev_hash: null }
    ]
    for (const edit of edits) {
      const { rows, head } = aLog(5)
      Object.assign(rows[2]!, edit)
      expect(broken(head, rows)).toMatchObject({ seq: 3 })
    }
  })

  test('names the position of a deleted row, including the newest', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 8 }), fc.nat(), (length, at) => {
      const { rows, head } = aLog(length)
      rows.splice(at % length, 1)
      expect(broken(head, rows)).toMatchObject({ seq: at % length + 1, why: 'is missing' })
    }))
  })

  test('names an appended row', () => {
    const { rows, head } = aLog(3)
    rows.push({ ...rows[2]!, id: randomUUID(), seq: 4, prev_hash: rows[2]!.hash })
    expect(broken(head, rows)).toMatchObject({ seq: 4 })
    const whole = aLog(4)
    const shorter = {
      log_count: 3,
      log_hash: whole.rows[2]!.hash,
      log_seal: headSeal(macs, BUDGET, 3, whole.rows[2]!.hash)
    }
    expect(broken(shorter, whole.rows)).toMatchObject({ seq: 4, why: 'was added behind the end of the log' })
  })

  test('notices a head that was changed together with the rows', () => {
    const { rows, head } = aLog(4)
    rows.pop()
    expect(broken({ ...head, log_count: 3, log_hash: rows[2]!.hash }, rows)).toMatchObject({ seq: 3 })
    expect(broken({ log_count: 0, log_hash: null, log_seal: null }, rows)).toMatchObject({ seq: 1 })
  })

  test('accepts the erasure of a person\'s data, and names a row whose text was changed or removed', () => {
    const { rows, head } = aLog(3)
    const reason = rows[1]!.detail.reason as { text?: string, salt?: string }
    reason.text = 'Mrs Núñez agreed'
    expect(broken(head, rows)).toMatchObject({ seq: 2, why: 'has a text that was changed' })
    delete reason.text
    delete reason.salt
    expect(broken(head, rows)).toMatchObject({ seq: 2, why: 'has a text that was changed' })
    expect(broken(head, rows, { erased_at: new Date() })).toBeNull()
    expect(readable(rows[1]!.detail)).toEqual({ n: 2, reason: null })
    expect(readable(rows[0]!.detail)).toEqual({ n: 1, reason: 'Mrs Núñez rang' })
  })

  test('names a row with additional data beside an erasable text', () => {
    const { rows, head } = aLog(3)
    Object.assign(rows[1]!.detail.reason as object, { note: 'x' })
    expect(broken(head, rows)).toMatchObject({ seq: 2, why: 'was changed' })
  })

  describe('behind a checkpoint', () => {
    /** Seven rows. The first three were removed at the end of their retention period. */
    function aCutLog() {
      const { rows, head } = aLog(7)
      const [first, , last] = rows.splice(0, 3)
      const checkpoint = {
        budget_id: BUDGET,
        clinic_id: first!.clinic_id,
        seq: 3,
        hash: last!.hash,
        rows: 3,
        from_at: first!.at,
        to_at: last!.at,
        made_at: '2036-01-01T00:00:00.000000Z',
        facts: { content_digest: 'x' }
      }
      return {
        rows,
        head,
        removed: [first!, last!],
        checkpoint: { ...checkpoint, seal: checkpointSeal(macs, checkpoint) }
      }
    }

    test('accepts an unchanged log, even when no row is left', () => {
      const { rows, head, checkpoint } = aCutLog()
      expect(broken(head, rows, { checkpoint })).toBeNull()
      const { rows: [last] } = { rows: rows.slice(-1) }
      const all = { ...checkpoint, seq: 7, hash: last!.hash, rows: 7 }
      expect(broken(head, [], { checkpoint: { ...all, seal: checkpointSeal(macs, all) } })).toBeNull()
    })

    test('names the first row when the checkpoint is missing', () => {
      const { rows, head } = aCutLog()
      expect(broken(head, rows)).toMatchObject({ seq: 1, why: 'is missing' })
    })

    test('notices every change of the checkpoint', () => {
      const edits: object[] = [
        { budget_id: randomUUID() },
        { clinic_id: randomUUID() },
        { seq: 2 },
        { hash: Buffer.alloc(32) },
        { rows: 4 },
        { from_at: '2025-01-01T00:00:00.000000Z' },
        { to_at: '2035-01-01T00:00:00.000000Z' },
        { made_at: '2036-01-01T00:00:00.000001Z' },
        { facts: {} },
        { seal: Buffer.alloc(32) }
      ]
      for (const edit of edits) {
        const { rows, head, checkpoint } = aCutLog()
        expect(broken(head, rows, { checkpoint: { ...checkpoint, ...edit } })).toMatchObject({ seq: 1 })
      }
    })

    test('names a row that was removed and inserted again, and a row that is missing after it', () => {
      const { rows, head, removed, checkpoint } = aCutLog()
      expect(broken(head, [removed[1]!, ...rows], { checkpoint })).toMatchObject({
        seq: 3,
        id: removed[1]!.id,
        why: 'has no place in the log'
      })
      expect(broken(head, rows.slice(1), { checkpoint })).toMatchObject({ seq: 4, why: 'is missing' })
      expect(broken(head, rows.slice(0, -1), { checkpoint })).toMatchObject({ seq: 7, why: 'is missing' })
    })
  })
})

test('the first of two fingerprints of signed PDFs is used', () => {
  const ready = (sha256: string) => ({ action: 'signed_pdf_ready', success: true, detail: { sha256 } })
  expect(logFacts(null, [ready('a'), ready('b')])).toEqual({ signed_pdf_sha256: 'a' })
})
