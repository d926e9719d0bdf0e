import { rmSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql, type SQL } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACCEPTANCE, aDraft, aSentBudget, aVerifiedPatient, BUDGETS, type SentBudget } from '../../support/builders.ts'
import { svc } from '../../support/cli.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { ageLog, budgetCtx, sealNow, verify, whileChanged } from '../../support/logs.ts'
import { root } from '../../support/modules/official.ts'

const SECRET = 'a secret for tests, long enough to pass'
let instance: Instance
let accepted: SentBudget
let rejected: SentBudget

beforeAll(async () => {
  instance = await anInstance()
  const staff = await instance.as('admin')
  accepted = await aSentBudget(instance)
  rejected = await aSentBudget(instance)
  await aDraft(instance)
  const patient = await aVerifiedPatient(instance, accepted)
  await patient.get(accepted.base)
  await patient.post(`${accepted.base}/accept`, ACCEPTANCE)
  const other = await aVerifiedPatient(instance, rejected)
  await other.post(`${rejected.base}/verify`, { code: '0000' })
  await staff.post(`${BUDGETS}/${rejected.id}/unlock-public`, { reason: 'Mrs Muñoz rang' })
  await other.post(`${rejected.base}/reject`, { reason: 'Too dear' })
  await sealNow(instance, accepted.id)
})
afterAll(() => instance.close())

const broken = (
  budget: SentBudget,
  change: (tx: Parameters<Parameters<ReturnType<typeof budgetCtx>['db']['transaction']>[0]>[0]) => Promise<unknown>
) => whileChanged(budgetCtx(instance), { which: { id: budget.id }, change })

describe('budgets verify', () => {
  test('counts what it checked, and reports no problem', async () => {
    const all = await verify(instance)
    expect(all.text).toBe('3 budgets: 2 digests, 13 log rows, 1 signed PDF. All hold.')
    expect([all.ok, all.json]).toEqual([
      true,
      { ok: true, budgets: 3, digests: 2, log_rows: 13, signed_pdfs: 1, evidence_files: 0, findings: [] }
    ])
  })

  test('checks one budget by its id or its number', async () => {
    expect((await verify(instance, accepted.id)).text).toBe('1 budget: 1 digest, 7 log rows, 1 signed PDF. All hold.')
    expect((await verify(instance, rejected.number.toLowerCase())).json).toMatchObject({
      budgets: 1,
      log_rows: 6,
      signed_pdfs: 0
    })
  })

  test.each(['PRES-1999-0001', 'x', '00000000-0000-4000-8000-000000000000'])(
    'fails for %s, because there is no such budget',
    async (id) => {
      await expect(verify(instance, id)).rejects.toMatchObject({
        code: 'not_found',
        fields: { detail: expect.stringContaining(id) }
      })
    }
  )

  test('names each problem, with the id, the row and what to do', async () => {
    await instance.sql`update budget_access_log set user_agent = 'x' where budget_id = ${accepted.id} and seq = 4`
    const { ok, text, json } = await verify(instance)
    expect(ok).toBe(false)
    expect(text).toMatch(
      new RegExp(
        `^3 budgets: .*\\. 1 finding:\n  - ${accepted.number} v1 \\(${accepted.id}\\): Row 4 of the access log \\(.{36}\\) was changed\\.\n {6}Compare`
      )
    )
    expect(json).toMatchObject({
      ok: false,
      findings: [{ code: 'log_chain_broken', object: `${accepted.number} v1`, budget_id: accepted.id }]
    })
    const [row]
      = await instance.sql`select user_agent from budget_access_log where budget_id = ${accepted.id} and seq = 3`
    await instance.sql`update budget_access_log set user_agent = ${row!.user_agent} where budget_id = ${accepted.id} and seq = 4`
    expect((await verify(instance)).ok).toBe(true)
  })

  test('succeeds with a former secret, and with no other', async () => {
    const { db, sql: _sql, ...rest } = budgetCtx(instance)
    const { createSecrets } = await import('../../../server/core/secrets.ts')
    const { verifyBudgets } = await import('../../../layers/budget/server/services/proof/verify-budgets.ts')
    const under = (secret: string, secret_previous: string | null) =>
      verifyBudgets({
        ...rest,
        db,
        sql: _sql,
        secrets: createSecrets({ secret, secret_previous, storage: instance.storage })
      })
    expect((await under('another secret, as long as it has to be', SECRET)).findings).toEqual([])
    const codes = (await under('another secret, as long as it has to be', null)).findings.map(({ code }) => code)
    expect(codes.sort()).toEqual([
      'content_tampered',
      'content_tampered',
      'link_changed',
      'link_changed',
      'log_chain_broken',
      'log_chain_broken',
      'log_chain_broken'
    ])
  })
})

describe('any change by SQL in the log is found, and the first invalid row is named:', () => {
  /** Another value for a column, by its type. */
  const others: Record<string, SQL[]> = {
    'uuid': [sql`gen_random_uuid()`],
    'text': [sql`'x'`, sql`''`],
    'boolean': [sql`not success`],
    'timestamp with time zone': [sql`at + interval '1 microsecond'`, sql`at - interval '1 year'`],
    'integer': [sql`seq + 1000`, sql`-seq`],
    'bytea': [sql`'\\x00'::bytea`, sql`sha256('x')`],
    'jsonb': [
      sql`'{}'::jsonb`,
      sql`'{"x":1}'::jsonb`,
      sql`detail || '{"reason":"x"}'`,
      sql`detail || '{"signature_id":null}'`,
      sql`jsonb_set(detail, '{reason,text}', '"x"')`,
      sql`jsonb_set(detail, '{reason,salt}', '"x"')`,
      sql`jsonb_set(detail, '{reason,note}', '"x"')`,
      sql`detail #- '{reason,text}'`,
      sql`detail #- '{reason,text}' #- '{reason,salt}'`,
      sql`detail #- '{content_digest,text}' #- '{content_digest,salt}'`
    ]
  }

  test('every column of every row', async () => {
    const columns
      = await instance.sql`select column_name as name, data_type as type, is_nullable = 'YES' as nullable from information_schema.columns where table_name = 'budget_access_log'`
    const edits = columns.flatMap(({ name, type, nullable }) =>
      [...others[type]!, ...(nullable ? [sql`null`] : [])].flatMap(value =>
        [1, 2, 3, 4, 5, 6].map(seq => ({ name, value: name === 'budget_id' ? sql`${accepted.id}::uuid` : value, seq }))
      )
    )
    const missed: unknown[] = []
    let made = 0
    for (const edit of edits) {
      const { found, changed, id } = await tryEdit(edit)
      made += changed
      const names = found[0]?.message.startsWith(`Row ${edit.seq} of the access log`) || found[0]?.message.includes(id)
      if (changed > 0 && !(found.length === 1 && found[0]!.code === 'log_chain_broken' && names))
        missed.push([edit.name, edit.seq, found])
    }
    expect(missed).toEqual([])
    expect(made).toBeGreaterThan(100)
  })

  async function tryEdit({ name, value, seq }: { name: string, value: SQL, seq: number }) {
    const [row] = await instance.sql`select id from budget_access_log where budget_id = ${rejected.id} and seq = ${seq}`
    const column = sql.raw(`"${name}"`)
    let changed = 0
    const found = await broken(rejected, async (tx) => {
      if (name === 'budget_id')
        await tx.execute(sql`update budget_access_log set seq = seq + 100 where budget_id = ${accepted.id}::uuid`)
      changed = (
        await tx.execute(sql`update budget_access_log set ${column} = ${value} where budget_id = ${rejected.id}::uuid and seq = ${seq} and ${column} is distinct from ${value} returning 1`)
      ).length
    })
    return { found, changed, id: row!.id as string }
  }

  test('every row that is deleted, alone or with all behind it', async () => {
    for (let seq = 1; seq <= 6; seq++) {
      for (const which of [sql`seq = ${seq}`, sql`seq >= ${seq}`]) {
        const found = await broken(rejected, tx =>
          tx.execute(sql`delete from budget_access_log where budget_id = ${rejected.id}::uuid and ${which}`)
        )
        expect(found).toEqual([
          expect.objectContaining({
            code: 'log_chain_broken',
            message: expect.stringMatching(new RegExp(`^Row ${seq} of the access log is missing`))
          })
        ])
      }
    }
  })

  test('every row that is exchanged with another, or inserted', async () => {
    for (let seq = 1; seq < 6; seq++) {
      const found = await broken(rejected, async (tx) => {
        const swap = (from: number, to: number) =>
          tx.execute(sql`update budget_access_log set seq = ${to} where budget_id = ${rejected.id}::uuid and seq = ${from}`)
        await swap(seq, 99)
        await swap(seq + 1, seq)
        await swap(99, seq + 1)
      })
      expect(found).toEqual([expect.objectContaining({ message: expect.stringMatching(new RegExp(`^Row ${seq} `)) })])
    }
  })

  test('the head, and a head that was moved back', async () => {
    for (const change of [
      sql`log_count = 5`,
      sql`log_count = 7`,
      sql`log_hash = sha256('x')`,
      sql`log_hash = null`,
      sql`log_seal = null`,
      sql`log_seal = sha256('x')`,
      sql`log_count = 0, log_hash = null, log_seal = null`
    ]) {
      expect(
        await broken(rejected, tx => tx.execute(sql`update budget set ${change} where id = ${rejected.id}::uuid`))
      ).toMatchObject([{ code: 'log_chain_broken' }])
    }
  })
})

describe('any change by SQL in the record of a decision is found:', () => {
  const signature = (budget: SentBudget, change: SQL) =>
    broken(budget, tx => tx.execute(sql`update budget_signature set ${change} where budget_id = ${budget.id}::uuid`))

  test('the content, the digest, and both together', async () => {
    const cheaper = sql`content = replace(content, '121.00', '21.00')`
    const fitting = sql`content_digest = encode(sha256(convert_to(replace(content, '121.00', '21.00'), 'UTF8')), 'hex')`
    for (const budget of [accepted, rejected]) {
      expect(await signature(budget, cheaper)).toMatchObject([{ code: 'content_digest_mismatch' }])
      expect(await signature(budget, sql`content_digest = ${'0'.repeat(64)}`)).toMatchObject([
        { code: 'content_digest_mismatch' },
        { code: 'signature_changed' }
      ])
      expect(await signature(budget, sql`${cheaper}, ${fitting}`)).toMatchObject([
        { code: 'budget_changed' },
        { code: 'signature_changed' }
      ])
      expect(await signature(budget, sql`id = gen_random_uuid()`)).toMatchObject([{ code: 'signature_changed' }])
    }
  })

  test('a missing record, even after a change to a state that needs none', async () => {
    const gone = sql`delete from budget_signature where budget_id = ${rejected.id}::uuid`
    expect(await broken(rejected, tx => tx.execute(gone))).toMatchObject([{ code: 'signature_missing' }])
    expect(await broken(rejected, async (tx) => {
      await tx.execute(sql`update budget set status = 'superseded' where id = ${rejected.id}::uuid`)
      await tx.execute(gone)
    })).toMatchObject([{ code: 'content_tampered' }, { code: 'signature_missing' }])
  })

  test('a fingerprint, in one place or in both', async () => {
    const [row] = await instance.sql`select signed_pdf_key as key from budget where id = ${accepted.id}`
    const fake = '0'.repeat(64)
    expect(await signature(accepted, sql`document_sha256 = ${fake}`)).toMatchObject([{ code: 'fingerprint_changed' }])
    expect(
      await broken(accepted, tx =>
        tx.execute(sql`update budget set signed_pdf_sha256 = ${fake} where id = ${accepted.id}::uuid`)
      )
    ).toMatchObject([{ code: 'fingerprint_mismatch' }])
    expect(
      await broken(accepted, tx =>
        tx.execute(sql`update budget set signed_pdf_key = null where id = ${accepted.id}::uuid`)
      )
    ).toMatchObject([{ code: 'fingerprint_mismatch' }])
    expect(
      await broken(accepted, tx =>
        tx.execute(sql`update budget set signed_pdf_status = 'none' where id = ${accepted.id}::uuid`)
      )
    ).toMatchObject([{ code: 'signed_pdf_missing' }])
    // Another file, with its fingerprint in every place that can be written. The log has the original one.
    const other = `${row!.key}.other`
    await budgetCtx(instance).files.writeOnce(other, Buffer.from('another file'))
    const found = await broken(accepted, async (tx) => {
      await tx.execute(sql`update budget set signed_pdf_key = ${other}, signed_pdf_sha256 = encode(sha256('another file'), 'hex') where id = ${accepted.id}::uuid`)
      await tx.execute(sql`update budget_signature set document_sha256 = encode(sha256('another file'), 'hex') where budget_id = ${accepted.id}::uuid`)
    })
    expect(found).toMatchObject([{ code: 'fingerprint_changed' }])
  })

  test('a file whose bytes changed, or that is missing', async () => {
    const [row] = await instance.sql`select signed_pdf_key as key from budget where id = ${accepted.id}`
    const file = join(instance.storage, 'documents', row!.key)
    const bytes = readFileSync(file)
    rmSync(file)
    expect(await verify(instance, accepted.id)).toMatchObject({
      ok: false,
      json: { findings: [{ code: 'fingerprint_mismatch' }] }
    })
    writeFileSync(file, Buffer.concat([bytes, Buffer.from(' ')]))
    expect(await verify(instance, accepted.id)).toMatchObject({
      ok: false,
      json: { findings: [{ code: 'fingerprint_mismatch' }] }
    })
    rmSync(file)
    writeFileSync(file, bytes)
    expect((await verify(instance, accepted.id)).ok).toBe(true)
  })
})

describe('behind a checkpoint', () => {
  const ctx = () => budgetCtx(instance)
  const trim = async () =>
    await instance.runtime.host.registry
      .get('budget')!
      .definition.jobs!['trim-logs']!.run({}, ctx(), { attempt: 1 })

  test('any change of the checkpoint is found, and so is another budget\'s checkpoint', async () => {
    await ageLog(instance, accepted.id, { months: 121, upTo: 6 })
    await ageLog(instance, rejected.id, { months: 121, upTo: 5 })
    await trim()
    expect(await verify(instance)).toMatchObject({ ok: true, json: { log_rows: 2 } })
    const columns
      = await instance.sql`select column_name as name, data_type as type from information_schema.columns where table_name = 'budget_log_checkpoint' and column_name <> 'budget_id'`
    const others: Record<string, (name: string) => SQL> = {
      'uuid': () => sql`gen_random_uuid()`,
      'integer': name => sql`${sql.raw(name)} + 1`,
      'bytea': () => sql`sha256('x')`,
      'jsonb': name => sql`${sql.raw(name)} - 'content_digest'`,
      'timestamp with time zone': name => sql`${sql.raw(name)} + interval '1 microsecond'`
    }
    expect(columns).toHaveLength(9)
    for (const { name, type } of columns) {
      const quoted = `"${name}"`
      const found = await broken(accepted, tx =>
        tx.execute(sql`update budget_log_checkpoint set ${sql.raw(quoted)} = ${others[type]!(quoted)} where budget_id = ${accepted.id}::uuid`)
      )
      expect([name, found]).toEqual([
        name,
        [
          expect.objectContaining({
            code: 'log_chain_broken',
            message: expect.stringMatching(/^Row 1 of the access log .*checkpoint/)
          })
        ]
      ])
    }
    const copied = await broken(accepted, async (tx) => {
      await tx.execute(sql`delete from budget_log_checkpoint where budget_id = ${accepted.id}::uuid`)
      await tx.execute(sql`update budget_log_checkpoint set budget_id = ${accepted.id}::uuid where budget_id = ${rejected.id}::uuid`)
    })
    expect(copied).toMatchObject([{ message: expect.stringMatching(/^Row 1 .*checkpoint/) }])
    expect(
      await broken(accepted, tx =>
        tx.execute(sql`delete from budget_log_checkpoint where budget_id = ${accepted.id}::uuid`)
      )
    ).toMatchObject([{ message: expect.stringMatching(/^Row 1 .* is missing/) }])
    expect(
      await broken(accepted, tx =>
        tx.execute(sql`delete from budget_access_log where budget_id = ${accepted.id}::uuid`)
      )
    ).toMatchObject([{ message: expect.stringMatching(/^Row 7 .* is missing/) }])
  })

  test('the record must be the one that the removed rows named', async () => {
    const [row] = await instance.sql`select facts from budget_log_checkpoint where budget_id = ${rejected.id}`
    expect(row!.facts).toEqual({
      sent: expect.any(String),
      opened: [expect.any(String)],
      code_by: { user_id: expect.any(String) }
    })
    const [kept] = await instance.sql`select facts from budget_log_checkpoint where budget_id = ${accepted.id}`
    expect(Object.keys(kept!.facts).sort()).toEqual([
      'code_by',
      'content_digest',
      'decision',
      'opened',
      'record',
      'sent',
      'signature_id'
    ])
    const found = await broken(accepted, tx =>
      tx.execute(sql`
      update budget_signature set content = replace(content, '121.00', '21.00'), content_digest = encode(sha256(convert_to(replace(content, '121.00', '21.00'), 'UTF8')), 'hex') where budget_id = ${accepted.id}::uuid`)
    )
    expect(found).toMatchObject([{ code: 'budget_changed' }, { code: 'signature_changed' }])
  })
})

describe('svc budgets verify', () => {
  test('is a command that uses the server\'s environment', async () => {
    const { database_url } = instance.runtime.host.config
    const env = { DATABASE_URL: database_url!, SVC_STORAGE: instance.storage, SVC_SECRET: SECRET, SVC_ROOT: root }
    const { code, stdout, stderr } = await svc(['budgets', 'verify'], { env })
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '3 budgets: 2 digests, 2 log rows, 1 signed PDF. All hold.\n',
      stderr: ''
    })
    expect(JSON.parse((await svc(['budgets', 'verify', accepted.id, '--json'], { env })).stdout)).toMatchObject({
      ok: true,
      budgets: 1
    })
    expect(
      JSON.parse(
        (await svc(['budgets', 'verify', '--since', '2000-01-01', '--sample', '100%', '--restart', '--json'], { env }))
          .stdout
      )
    ).toMatchObject({ budgets: 3 })
    expect(await svc(['budgets', 'verify', '--sample', '1'], { env })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('--sample: must be a percentage')
    })
    expect(await svc(['budgets', 'verify', 'PRES-1999-0001'], { env })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('There is no budget "PRES-1999-0001".')
    })
  })
})
