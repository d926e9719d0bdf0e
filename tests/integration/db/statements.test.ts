import { randomBytes, randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { findSome } from '../../../layers/budget/server/db/list.ts'
import { findByToken, findByTokenWithItems } from '../../../layers/budget/server/db/links.ts'
import { findSignedPdf } from '../../../layers/budget/server/db/documents.ts'
import { openDatabase, type Database } from '../../../server/core/db/client.ts'
import { copyDatabase, databaseUrl, onServer } from '../../support/database/database-server.ts'
import { root } from '../../support/modules/official.ts'

const { admin, strategy, template } = inject('databases')
const name = `svc_test_${randomBytes(6).toString('hex')}`
let database: Database

beforeAll(async () => {
  await copyDatabase({ admin, strategy }, template, name)
  database = await openDatabase({ database_url: databaseUrl(admin, name), storage: tmpdir(), root }, { max: 1 })
})
afterAll(async () => {
  await database.close()
  await onServer(admin, sql => sql`drop database ${sql(name)} with (force)`)
})

/**
 * How often each statement with this text was planned for its own values on the connection, and how often the cached
 * plan ran.
 */
const plansOf = (text: string) => database.sql<{ own: number, kept: number }[]>`
  select custom_plans::int as own, generic_plans::int as kept from pg_prepared_statements where position(${text} in statement) > 0 and name <> '' and not statement ~ 'pg_prepared'`

describe('the plan of a statement', () => {
  test('is made again for each search, with its words', async () => {
    const clinic_id = randomUUID()
    for (const search of ['garcia', 'garcia 777'])
      expect(await findSome(database.db, { clinic_id, search }, 10)).toEqual([])
    expect(await plansOf('@@')).toEqual([])
  })

  test.each([
    ['a link', 'budget_link', findByToken],
    ['a link with the lines of its budget', 'budget_item', findByTokenWithItems],
    ['a link\'s signed PDF', 'signed_pdf_download', findSignedPdf]
  ])('is cached for %s', async (_, text, find) => {
    const hashes = { token_hashes: [randomBytes(32)], session_hashes: [randomBytes(32)] }
    for (let time = 0; time < 10; time++) expect(await find(database.db, hashes)).toBeNull()
    const plans = await plansOf(text)
    expect(plans.length).toBeGreaterThan(0)
    for (const { own, kept } of plans.filter(({ own, kept }) => own + kept >= 10))
      expect({ own, kept }).toEqual({ own: 5, kept: 5 })
    expect(plans.some(({ kept }) => kept === 5)).toBe(true)
  })
})
