import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient } from '../../support/builders.ts'
import { anInstance, type Instance } from '../../support/instance.ts'

/** The caller chooses its own address, behind one trusted proxy. */
const ADDRESS = '203.0.113.77'
const FROM = { headers: { 'x-forwarded-for': ADDRESS } }
const HASH = /^[\w-]{43}$/
const KEPT = {
  full: (ip: unknown) => expect(ip).toBe(ADDRESS),
  hashed: (ip: unknown) => expect(ip).toMatch(HASH),
  none: (ip: unknown) => expect(ip).toBeNull()
}

let instance: Instance
beforeAll(async () => { instance = await anInstance({ env: { SVC_TRUSTED_PROXIES: '1' } }) })
afterAll(() => instance.close())

describe.each(Object.keys(KEPT) as (keyof typeof KEPT)[])('a clinic with the address policy "%s"', (policy) => {
  test.each(['accept', 'reject'] as const)(
    'keeps the address accordingly in the record (%s), and only hashes in the log',
    async (how) => {
      expect((await (await instance.as('admin')).patch('/api/v1/clinic', { ip_policy: policy })).status).toBe(200)
      const budget = await aSentBudget(instance)
      await instance.anonymous().post(`${budget.base}/verify`, { code: '000000' }, FROM)
      const patient = await aVerifiedPatient(instance, budget)
      await patient.get(budget.base, FROM)
      const { status } = await patient.post(
        `${budget.base}/${how}`,
        how === 'accept' ? ACCEPTANCE : { reason: 'No.' },
        FROM
      )
      expect(status).toBe(200)

      const [record] = await instance.sql`select ip from budget_signature where budget_id = ${budget.id}`
      KEPT[policy](record!.ip)
      const log
        = await instance.sql`select ip_hash, budget_access_log::text as row from budget_access_log where budget_id = ${budget.id} and actor = 'patient'`
      expect(log.length).toBeGreaterThan(2)
      for (const { ip_hash, row } of log) {
        expect(ip_hash).toMatch(HASH)
        expect(row).not.toContain(ADDRESS)
      }
    }
  )
})
