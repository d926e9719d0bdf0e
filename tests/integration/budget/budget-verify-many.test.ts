import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { saveLogSeals } from '../../../layers/budget/server/db/upgrades/upgrade.ts'
import { headSeal } from '../../../layers/budget/server/services/log/log-chain.ts'
import { aDraft, aSentBudget, type SentBudget } from '../../support/builders.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { budgetCtx, verify } from '../../support/logs.ts'

let instance: Instance
let sent: SentBudget

beforeAll(async () => {
  instance = await anInstance()
  sent = await aSentBudget(instance)
  await aSentBudget(instance)
  await aDraft(instance)
})
afterAll(() => instance.close())

describe('budgets verify, with many budgets,', () => {
  const COPIES = 250
  const checked = ({ json }: { json: unknown }) => (json as { budgets: number }).budgets
  class Interrupted extends Error {}
  /** Ends the run as closing a terminal would, after that many budgets. */
  const interrupt = (after: number) => verify(instance, undefined, {}, (line) => {
    if (Number(/^\d+/.exec(line)![0]) > after) throw new Interrupted()
  })
  /** A budget that a whole run reports, and its position in the run. */
  const spoil = async (order: 'asc' | 'desc') => {
    const [row] = await instance.sql.unsafe(`select id from budget where status = 'draft' order by id ${order} limit 1`)
    await instance.sql`update budget set log_count = 1 where id = ${row!.id}`
    return async () => { await instance.sql`update budget set log_count = 0 where id = ${row!.id}` }
  }

  beforeAll(async () => {
    const ctx = budgetCtx(instance)
    const columns = await instance.sql`
      select column_name as name from information_schema.columns
      where table_name = 'budget' and column_name not in ('id', 'version', 'updated_at') and is_generated = 'NEVER'`
    const names = columns.map(({ name }) => `"${name}"`).join(', ')
    await instance.sql.unsafe(`
      insert into budget (version, updated_at, ${names}) select 1 + n, now() - interval '1 year', ${names}
      from (select * from budget where status = 'draft') as draft, generate_series(1, ${COPIES}) as n`)
    const copies = await instance.sql`select id from budget where status = 'draft'`
    await saveLogSeals(
      ctx.db,
      copies.map(({ id }) => ({ id: id as string, log_seal: headSeal(ctx.secrets, id as string, 0, null) }))
    )
  })

  test('continues an interrupted run from its mark, and keeps what was found before', async () => {
    const first = await spoil('asc')
    await expect(interrupt(200)).rejects.toThrow(Interrupted)
    await first()
    const last = await spoil('desc')
    const { ok, json, text } = await verify(instance)
    expect([ok, json]).toEqual([
      false,
      expect.objectContaining({
        budgets: 3 + COPIES,
        continued: { budgets: 200, started_at: expect.any(String) },
        findings: [expect.anything(), expect.anything()]
      })
    ])
    expect(text).toMatch(/The run that began at \S+Z was continued after 200 budgets\./)
    await last()
    expect(await verify(instance)).toMatchObject({
      ok: true,
      json: expect.not.objectContaining({ continued: expect.anything() })
    })
  })

  test('begins again with --restart, and leaves no mark', async () => {
    await expect(interrupt(200)).rejects.toThrow(Interrupted)
    const again = await spoil('asc')
    expect(await verify(instance, undefined, { restart: true })).toMatchObject({
      ok: false,
      json: { findings: [{ code: 'log_chain_broken' }] }
    })
    await again()
    expect(await instance.sql`select from budget_verify_mark`).toHaveLength(0)
  })

  test('reports a mark that SQL changed and does not use it', async () => {
    await expect(interrupt(200)).rejects.toThrow(Interrupted)
    await instance.sql`update budget_verify_mark set state = replace(state, '"after":"', '"after":"ffffffff')`
    const { ok, json, text } = await verify(instance)
    expect([ok, json]).toEqual([
      false,
      expect.objectContaining({
        budgets: 3 + COPIES,
        findings: [expect.objectContaining({ code: 'verify_mark_changed' })]
      })
    ])
    expect(text).toContain('  - svc budgets verify: The mark')
    expect((await verify(instance)).ok).toBe(true)
  })

  test('checks with --since the budgets whose row or log has changed since then', async () => {
    expect(checked(await verify(instance, undefined, { since: '2000-01-01' }))).toBe(3 + COPIES)
    const [clock] = await instance.sql`select (now() - interval '1 day')::date::text as yesterday`
    expect(checked(await verify(instance, undefined, { since: clock!.yesterday }))).toBe(3)
  })

  test.each(['.5', '.123', '.123456', ',25'])('accepts a --since with the fraction of a second %s', async (part) => {
    expect(checked(await verify(instance, undefined, { since: `2000-01-01T12:00:00${part}Z` }))).toBe(3 + COPIES)
    expect(checked(await verify(instance, undefined, { since: `2000-01-01T12:00:00${part}+01:00` }))).toBe(3 + COPIES)
  })

  test.each(['2999-01-01', '2999-01-01T00:00:00.000Z'])('with --since %s, in the future, checks nothing and succeeds', async (since) => {
    const { ok, text } = await verify(instance, undefined, { since })
    expect([ok, text]).toEqual([true, '0 budgets: 0 digests, 0 log rows, 0 signed PDFs. All hold.'])
  })

  test('checks about as many as --sample requests', async () => {
    expect(checked(await verify(instance, undefined, { sample: '100%' }))).toBe(3 + COPIES)
    const samples = [
      await verify(instance, undefined, { sample: '40%' }),
      await verify(instance, undefined, { sample: '40%' })
    ].map(checked)
    for (const n of samples) {
      expect(n).toBeGreaterThan(40)
      expect(n).toBeLessThan(180)
    }
  })

  test.each([
    ['since', 'yesterday'], ['since', '2026-02-30'], ['since', '2026-13-01'], ['since', '2026-03-01T25:00:00.000Z'],
    ['sample', '0%'], ['sample', '101%'], ['sample', '1'], ['sample', 'half']
  ])('refuses --%s %s and names what is allowed', async (name, value) => {
    await expect(verify(instance, undefined, { [name]: value })).rejects.toMatchObject({
      code: 'validation_failed',
      fields: { errors: [{ pointer: `/${name}`, message: expect.stringMatching(/^must be a .* such as /) }] }
    })
  })

  test('refuses these options together with an id', async () => {
    await expect(verify(instance, sent.id, { sample: '1%' })).rejects.toMatchObject({ code: 'validation_failed' })
  })
})
