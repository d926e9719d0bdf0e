import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { trimAudit } from '../../../server/core/audit/trim-audit.ts'
import { addAuditRow, ageAudit, anAuditLog, forgetClinic } from '../../support/audit.ts'
import type { Caller } from '../../support/caller.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

let instance: Instance
let operator: Caller
beforeAll(async () => {
  instance = await anInstance()
  operator = await instance.asInstanceAdmin()
})
afterAll(() => instance.close())
/** Each test has its own logs. */
afterEach(async () => {
  const clinics = await instance.sql`select id from core_clinic where name = 'Another Clinic'`
  for (const { id } of clinics) await forgetClinic(instance, id)
})

interface Finding { code: string, object: string, message: string }
const broken = async (): Promise<Finding[]> =>
  (await operator.get('/api/v1/modules/-/doctor')).body.data.integrity
    .filter((finding: Finding) => finding.code === 'audit_log_broken')

const messages = async () => (await broken()).map(({ message }) => message.split('. ')[0])

describe('the doctor finds what SQL changed in a log', () => {
  test('and reports nothing if nothing was changed', async () => {
    await anAuditLog(instance)
    expect(await broken()).toEqual([])
  })

  test.each([
    ['a row that was edited', 'Row 3 was changed', (id: string) =>
      instance.sql`update core_audit set detail = '{"n": 30}' where clinic_id = ${id}::uuid and seq = 3`],
    ['another actor', 'Row 2 was changed', (id: string) =>
      instance.sql`update core_audit set actor_name = 'nobody' where clinic_id = ${id}::uuid and seq = 2`],
    ['an instant that was moved by a microsecond', 'Row 4 was changed', (id: string) =>
      instance.sql`update core_audit set at = at + interval '1 microsecond' where clinic_id = ${id}::uuid and seq = 4`],
    ['a deleted row in the middle', 'Row 3 is missing', (id: string) =>
      instance.sql`delete from core_audit where clinic_id = ${id}::uuid and seq = 3`],
    ['a deleted newest row', 'Row 5 is missing', (id: string) =>
      instance.sql`delete from core_audit where clinic_id = ${id}::uuid and seq = 5`],
    ['several deleted rows at the end', 'Row 3 is missing', (id: string) =>
      instance.sql`delete from core_audit where clinic_id = ${id}::uuid and seq >= 3`],
    ['an emptied log', 'Row 1 is missing', (id: string) =>
      instance.sql`delete from core_audit where clinic_id = ${id}::uuid`],
    ['two rows that were exchanged', 'Row 2 was changed', async (id: string) => {
      await instance.sql`update core_audit set seq = 99 where clinic_id = ${id}::uuid and seq = 2`
      await instance.sql`update core_audit set seq = 2 where clinic_id = ${id}::uuid and seq = 3`
      await instance.sql`update core_audit set seq = 3 where clinic_id = ${id}::uuid and seq = 99`
    }],
    ['a row that was added', 'Row 6 was changed', (id: string) => instance.sql`
      insert into core_audit (id, clinic_id, seq, at, actor_type, actor_name, action, detail, prev_hash, hash)
      select ${randomUUID()}::uuid, clinic_id, 6, at, actor_type, actor_name, action, detail, hash, hash
      from core_audit where clinic_id = ${id}::uuid and seq = 5`],
    ['deleted rows at the end, with a head that was changed to match', 'Row 3 is not the sealed end of the log', async (id: string) => {
      await instance.sql`delete from core_audit where clinic_id = ${id}::uuid and seq > 3`
      await instance.sql`update core_audit_head set count = 3, hash = (select hash from core_audit where clinic_id = ${id}::uuid and seq = 3) where clinic_id = ${id}::uuid`
    }],
    ['a log without its head', 'Row 5 is not the sealed end of the log', (id: string) =>
      instance.sql`delete from core_audit_head where clinic_id = ${id}::uuid`],
    ['a deleted head with all rows', 'Row 0 is not the sealed end of the log', async (id: string) => {
      await instance.sql`delete from core_audit where clinic_id = ${id}::uuid`
      await instance.sql`delete from core_audit_head where clinic_id = ${id}::uuid`
    }]
  ])('%s', async (_what, message, harm) => {
    const id = await anAuditLog(instance)
    await harm(id)
    expect(await messages()).toEqual([message])
    // Later rows do not hide the change.
    await addAuditRow(instance, id)
    expect(await broken()).toHaveLength(1)
  })

  test('including a row that was moved to another clinic', async () => {
    const [from, to] = [await anAuditLog(instance), await instance.anotherClinic()]
    await instance.sql`update core_audit set clinic_id = ${to.id}::uuid, seq = 1, prev_hash = null where clinic_id = ${from}::uuid and seq = 5`
    expect((await messages()).sort()).toEqual(['Row 1 was changed', 'Row 5 is missing'])
  })
})

describe('after the clinic\'s retention period', () => {
  const keepFor = (id: string, months: number | null) => instance.sql`
    update core_clinic set retention = retention || ${instance.sql.json({ audit_months: months })} where id = ${id}::uuid`
  const trim = () => trimAudit(instance.runtime.host)
  const places = async (id: string) =>
    (await instance.sql`select seq from core_audit where clinic_id = ${id}::uuid order by seq`).map(row => row.seq)
  const checkpoint = async (id: string) =>
    (await instance.sql`select seq, from_at < to_at as spans from core_audit_checkpoint where clinic_id = ${id}::uuid`)[0]

  test('the log\'s rows before the first younger row are removed; the rest stays valid, and new rows follow', async () => {
    const id = await anAuditLog(instance)
    await ageAudit(instance, id, { months: 25, upTo: 2 })
    await trim()
    expect([await places(id), await checkpoint(id)]).toEqual([[3, 4, 5], { seq: 2, spans: true }])
    await addAuditRow(instance, id)
    await ageAudit(instance, id, { months: 25, upTo: 4 })
    await trim()
    expect([await places(id), await checkpoint(id)]).toEqual([[5, 6], { seq: 4, spans: true }])
    expect(await broken()).toEqual([])
  })

  test('a whole log may be removed, and the next row follows the checkpoint', async () => {
    const id = await anAuditLog(instance)
    await ageAudit(instance, id, { months: 25, upTo: 5 })
    await trim()
    await addAuditRow(instance, id)
    expect([await places(id), await broken()]).toEqual([[6], []])
  })

  test.each([[null, [1, 2, 3, 4, 5]], [30, [1, 2, 3, 4, 5]], [6, [4, 5]]])('a clinic with a period of %s months keeps the expected rows', async (months, left) => {
    const id = await anAuditLog(instance)
    await ageAudit(instance, id, { months: 25, upTo: 3 })
    await keepFor(id, months)
    await trim()
    expect(await places(id)).toEqual(left)
  })

  test('an invalid log keeps everything', async () => {
    const id = await anAuditLog(instance)
    await ageAudit(instance, id, { months: 25, upTo: 3 })
    await instance.sql`update core_audit set action = 'setup' where clinic_id = ${id}::uuid and seq = 1`
    await trim()
    expect(await places(id)).toEqual([1, 2, 3, 4, 5])
  })

  test('a checkpoint that SQL changed or removed is reported', async () => {
    const id = await anAuditLog(instance)
    await ageAudit(instance, id, { months: 25, upTo: 3 })
    await trim()
    await instance.sql`update core_audit_checkpoint set to_at = now() where clinic_id = ${id}::uuid`
    expect(await messages()).toEqual(['Row 1 was removed, and the checkpoint of the rows up to 3 was changed'])
    await instance.sql`delete from core_audit_checkpoint where clinic_id = ${id}::uuid`
    expect(await messages()).toEqual(['Row 1 is missing'])
  })
})

test('changes in the instance\'s own log are reported too', async () => {
  await instance.sql`update core_audit set target_id = 'another' where clinic_id = '00000000-0000-0000-0000-000000000000' and seq = 1`
  const [finding] = await broken()
  expect([finding!.object, finding!.message]).toEqual([
    'audit log: instance', 'Row 1 was changed. Someone changed the log directly in the database.'
  ])
})
