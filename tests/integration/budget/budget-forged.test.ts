import { sql, type SQL } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Tx } from '@svc/kit'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, BUDGETS, type SentBudget } from '../../support/builders.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { budgetCtx, sealNow, verify, whileChanged } from '../../support/logs.ts'

let instance: Instance
let accepted: SentBudget
beforeAll(async () => {
  instance = await anInstance()
  accepted = await aSentBudget(instance)
  await (await aVerifiedPatient(instance, accepted)).post(`${accepted.base}/accept`, ACCEPTANCE)
  await sealNow(instance, accepted.id)
})
afterAll(() => instance.close())

const broken = (change: (tx: Tx) => Promise<unknown>) =>
  whileChanged(budgetCtx(instance), { which: { id: accepted.id }, change })

describe('a direct change in the database is found', () => {
  test('in every member of the record of a decision: who, how, when', async () => {
    const columns = await instance.sql`
      select column_name as name, data_type as type from information_schema.columns where table_name = 'budget_signature'
        and column_name not in ('budget_id', 'clinic_id', 'content', 'content_digest', 'document_sha256', 'evidence_key', 'evidence_sha256')`
    const others: Record<string, SQL> = {
      'uuid': sql`gen_random_uuid()`,
      'text': sql`'x'`,
      'bytea': sql`'x'::bytea`,
      'timestamp with time zone': sql`decided_at + interval '1 microsecond'`
    }
    expect(columns).toHaveLength(18)
    for (const { name, type } of columns) {
      const found = await broken(tx =>
        tx.execute(sql`update budget_signature set ${sql.raw(name)} = ${others[type]!} where budget_id = ${accepted.id}::uuid`)
      )
      expect([name, found]).toEqual([name, [expect.objectContaining({ code: 'signature_changed' })]])
    }
    for (const change of [sql`decided_at = decided_at - interval '1 day'`, sql`decided_via = 'in_clinic'`]) {
      expect(
        await broken(tx => tx.execute(sql`update budget set ${change} where id = ${accepted.id}::uuid`))
      ).toMatchObject([{ code: 'signature_changed' }])
    }
  })

  test('in the lines and sums of the record, after the guards of the database were switched off', async () => {
    const unguarded = (change: SQL) => broken(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`)
      await tx.execute(change)
    })
    for (const change of [sql`price = price + 1`, sql`quantity = 2`, sql`name = '{"en":"x"}'`, sql`tooth = '11'`]) {
      expect(
        await unguarded(sql`update budget_item set ${change} where budget_id = ${accepted.id}::uuid`)
      ).toMatchObject([{ code: 'content_tampered' }, { code: 'budget_changed' }])
    }
    for (const change of [sql`total = total - 1`, sql`patient_last_name = 'x'`, sql`valid_until = valid_until + 1`]) {
      expect(await unguarded(sql`update budget set ${change} where id = ${accepted.id}::uuid`)).toMatchObject([
        { code: 'content_tampered' },
        { code: 'budget_changed' }
      ])
    }
    expect(await unguarded(sql`delete from budget_item where budget_id = ${accepted.id}::uuid`)).toMatchObject([
      { code: 'content_tampered' },
      { code: 'budget_changed' }
    ])
  })

  test('and a record that was changed does not count as evidence, nor does an erasure turn it into evidence', async () => {
    const [record]
      = await instance.sql`select s.signer_name, b.patient_id from budget_signature s join budget b on b.id = s.budget_id where b.id = ${accepted.id}`
    const admin = await instance.as('admin')
    await instance.sql`update budget_signature set signer_name = 'Somebody else' where budget_id = ${accepted.id}`
    const evidence = await admin.get(`${BUDGETS}/${accepted.id}/evidence`)
    const erased = await admin.post(`/api/v1/clinic/persons/${record!.patient_id}/erase`, { dry_run: false })
    await instance.sql`update budget_signature set signer_name = ${record!.signer_name} where budget_id = ${accepted.id}`
    expect([evidence.body.code, erased.body.code, erased.body.detail]).toEqual([
      'fingerprint_mismatch',
      'fingerprint_mismatch',
      expect.stringContaining(accepted.number)
    ])
    expect((await admin.get(`${BUDGETS}/${accepted.id}/evidence`)).status).toBe(200)
  })

  test('and an acceptance that was not made through the service gets no seal', async () => {
    const forged = await aSentBudget(instance)
    await instance.sql`update budget set status = 'accepted', signed_pdf_status = 'pending', decided_at = now(), decided_via = 'remote_link' where id = ${forged.id}`
    await instance.sql`
      insert into budget_signature (budget_id, clinic_id, decision, signer_name, relationship, method, content, content_digest, decided_at, time_zone, locale)
      select ${forged.id}, s.clinic_id, 'accepted', 'Nobody', 'patient', 'click', s.content, s.content_digest, b.decided_at, s.time_zone, s.locale
      from budget_signature s, budget b where s.budget_id = ${accepted.id} and b.id = ${forged.id}`
    expect(await verify(instance, forged.id)).toMatchObject({
      ok: false,
      json: {
        findings: [
          { code: 'budget_changed' },
          { code: 'signature_changed', message: expect.stringContaining('knows nothing of it') }
        ]
      }
    })
    await expect(sealNow(instance, forged.id)).rejects.toThrow('The acceptance is not proven.')
    const [row] = await instance.sql`select signed_pdf_status from budget where id = ${forged.id}`
    expect(row!.signed_pdf_status).toBe('pending')
  })
})
