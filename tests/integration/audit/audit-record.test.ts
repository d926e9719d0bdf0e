import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditEntry } from '@svc/kit'
import { recordAudit } from '../../../server/core/audit/record-audit.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

let instance: Instance
beforeAll(async () => { instance = await anInstance() })
afterAll(() => instance.close())

const record = (entry: Partial<AuditEntry> & { clinic_id: string | null }) =>
  instance.runtime.host.db.transaction(tx =>
    recordAudit(instance.runtime.host, tx, {
      actor: { type: 'system', id: null, name: 'svc' }, action: 'settings_changed', ...entry
    })
  )

const rowsOf = (clinic_id: string) =>
  instance.sql`select * from core_audit where clinic_id = ${clinic_id}::uuid order by seq`

describe('a row of the audit log', () => {
  test('has its place in the chain of its clinic, even if many rows are written at once', async () => {
    const { id } = await instance.anotherClinic()
    await Promise.all(Array.from({ length: 40 }, (_, n) => record({ clinic_id: id, detail: { n } })))
    const rows = await rowsOf(id)
    expect(rows.map(row => row.seq)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1))
    expect(rows.slice(1).map(row => row.prev_hash)).toEqual(rows.slice(0, -1).map(row => row.hash))
  })

  test('is rolled back with its transaction', async () => {
    const { id } = await instance.anotherClinic()
    const { db } = instance.runtime.host
    await expect(db.transaction(async (tx) => {
      const actor = { type: 'system' as const, id: null, name: 'svc' }
      await recordAudit(instance.runtime.host, tx, { clinic_id: id, actor, action: 'settings_changed' })
      throw new Error('rolled back')
    })).rejects.toThrow('rolled back')
    expect(await rowsOf(id)).toEqual([])
  })

  test('keeps a person\'s text only as a salted digest', async () => {
    const { id } = await instance.anotherClinic()
    await record({ clinic_id: id, action: 'person_erased', personal: { name: 'Núria Puig' } })
    await record({ clinic_id: id, action: 'person_erased', personal: { name: 'Núria Puig' } })
    const [first, second] = await rowsOf(id)
    expect(JSON.stringify(first)).not.toContain('Puig')
    expect(first!.detail.name.digest).not.toBe(second!.detail.name.digest)
  })

  test.each([
    ['full', '203.0.113.7'],
    ['hashed', expect.stringMatching(/^[\w-]{43}$/)],
    ['none', null]
  ])('keeps the address according to the clinic\'s policy: %s', async (ip_policy, kept) => {
    const { id } = await instance.anotherClinic()
    await instance.sql`update core_clinic set ip_policy = ${ip_policy} where id = ${id}::uuid`
    await record({ clinic_id: id, client: { ip: '203.0.113.7', ip_key: '203.0.113.7', user_agent: null } })
    expect((await rowsOf(id))[0]!.address).toEqual(kept)
  })
})
