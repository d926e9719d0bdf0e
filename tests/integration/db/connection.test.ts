import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
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

test.each([
  ['text', ['a', '', 'with "quotes", commas and \\', '{}', 'NULL']],
  ['uuid', ['00000000-0000-4000-8000-000000000001']],
  ['int4', [1, -2]],
  ['int8', ['9007199254740993', '-2']],
  ['text', []]
])('arrays of %s are stored in the database and read back unchanged', async (type, values) => {
  const [row] = await database.sql.unsafe(`select $1::${type}[] as values, cardinality($1::${type}[]) as count`, [values])
  expect(row).toEqual({ values, count: values.length })
})

test('a new connection sends no query before its caller does, so that every error has a receiver', async () => {
  const sql = database.connect()
  expect(await sql`select statement from pg_prepared_statements where not statement ~ 'pg_prepared'`).toEqual([])
})
