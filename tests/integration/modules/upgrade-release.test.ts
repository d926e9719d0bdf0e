import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { upgradeOfficial } from '../../../cli/upgrade-official.ts'
import { readConfig } from '../../../server/core/config.ts'
import { openDatabase } from '../../../server/core/db/client.ts'
import { restoreDump } from '../../../server/core/dump/restore-dump.ts'
import { start, type Runtime } from '../../../server/core/runtime.ts'
import { databaseUrl, onServer } from '../../support/database/database-server.ts'
import { verifyWith } from '../../support/logs.ts'
import { official, root } from '../../support/modules/official.ts'

/** What `svc up --demo` and `svc db dump` of that release left, with its documents. */
const FIXTURE = join(root, 'tests/fixtures/releases/0.1.0')
const SECRET = 'fixture-secret-of-release-0.1.0-xx'

const name = `svc_release_${randomBytes(6).toString('hex')}`
let folder: string
let runtime: Runtime

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-release-'))
  const file = join(folder, 'all.sql')
  writeFileSync(file, gunzipSync(readFileSync(join(FIXTURE, 'all.sql.gz'))))
  copyFileSync(join(FIXTURE, 'all.sql.json'), `${file}.json`)
  expect(spawnSync('tar', ['-xzf', join(FIXTURE, 'documents.tar.gz'), '-C', folder]).status).toBe(0)
  const { admin } = inject('databases')
  await onServer(admin, sql => sql`create database ${sql(name)} template template1`)
  vi.stubEnv('DATABASE_URL', databaseUrl(admin, name))
  vi.stubEnv('SVC_SECRET', SECRET)
  vi.stubEnv('SVC_STORAGE', folder)
  const config = readConfig(process.env, root)
  const database = await openDatabase(config, { max: 2, name: 'test' })
  await restoreDump({ database, config }, file)
  await database.close()
  expect(await upgradeOfficial()).toContain('budget')
  runtime = await start(config, official)
}, 120_000)
afterAll(async () => {
  await runtime?.close()
  vi.unstubAllEnvs()
  await onServer(inject('databases').admin, sql => sql`drop database if exists ${sql(name)} with (force)`)
  rmSync(folder, { recursive: true, force: true })
})

test('a database of the release before is brought to this one, and every signed budget still verifies', async () => {
  expect(runtime.host.registry.broken).toEqual([])
  const verified = await verifyWith(runtime.host.registry.get('budget')!.ctx)
  expect(verified).toMatchObject({ ok: true, text: expect.stringContaining('5 signed PDFs. All hold.') })
})

test('its budgets have no choices, and their contents the digests that were decided on', async () => {
  const { sql } = runtime.host.database
  const rows = await sql`
    select b.id, b.clinic_id, b.total::text, s.content_digest from budget b
    join budget_signature s on s.budget_id = b.id where b.status = 'accepted'`
  expect(rows.length).toBeGreaterThan(3)
  const { ctx } = runtime.host.registry.get('billing')!
  for (const { id, clinic_id, total } of rows) {
    const budget = await ctx.use('budget').getBudget(clinic_id, id)
    expect(budget).toMatchObject({ status: 'accepted', withdrawn_at: null })
    expect(String(budget!.items.reduce((sum, { price }) => sum + price, 0n))).toBe(total)
  }
  expect(await sql`select from budget where choices is not null or withdrawn_at is not null`).toHaveLength(0)
})
