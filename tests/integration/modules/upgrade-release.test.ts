import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { upgradeOfficial } from '../../../cli/upgrade-official.ts'
import { readConfig } from '../../../server/core/config.ts'
import { openDatabase } from '../../../server/core/db/client.ts'
import { restoreDump } from '../../../server/core/dump/restore-dump.ts'
import { start, type Runtime } from '../../../server/core/runtime.ts'
import { databaseUrl, onServer } from '../../support/database/database-server.ts'
import { verifyWith } from '../../support/logs.ts'
import { official, root } from '../../support/modules/official.ts'
import budget from '../../../layers/budget/package.json' with { type: 'json' }

/** What `svc up --demo` and `svc db dump` of each release wrote, with its documents. */
const FIXTURES = join(root, 'tests/fixtures/releases')
const RELEASES = [
  { release: '0.1.0', secret: 'fixture-secret-of-release-0.1.0-xx', documents: 5 },
  { release: '0.2.0', secret: 'fixture-secret-of-release-0.2.0-xx', documents: 6 }
]

describe.each(RELEASES)('a database of release $release', ({ release, secret, documents }) => {
  const name = `svc_release_${randomBytes(6).toString('hex')}`
  let folder: string
  let runtime: Runtime

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'svc-release-'))
    const fixture = join(FIXTURES, release)
    const file = join(folder, 'all.sql')
    writeFileSync(file, gunzipSync(readFileSync(join(fixture, 'all.sql.gz'))))
    copyFileSync(join(fixture, 'all.sql.json'), `${file}.json`)
    expect(spawnSync('tar', ['-xzf', join(fixture, 'documents.tar.gz'), '-C', folder]).status).toBe(0)
    const { admin } = inject('databases')
    await onServer(admin, sql => sql`create database ${sql(name)} template template1`)
    vi.stubEnv('DATABASE_URL', databaseUrl(admin, name))
    vi.stubEnv('SVC_SECRET', secret)
    vi.stubEnv('SVC_STORAGE', folder)
    const config = readConfig(process.env, root)
    const database = await openDatabase(config, { max: 2, name: 'test' })
    await restoreDump({ database, config }, file)
    await database.close()
    await upgradeOfficial()
    runtime = await start(config, official)
  }, 120_000)
  afterAll(async () => {
    await runtime?.close()
    vi.unstubAllEnvs()
    await onServer(inject('databases').admin, sql => sql`drop database if exists ${sql(name)} with (force)`)
    rmSync(folder, { recursive: true, force: true })
  })

  it('is migrated to this release, and every signed budget still verifies', async () => {
    expect(runtime.host.registry.broken).toEqual([])
    const installed = await runtime.host.database.sql`select version from core_module where name = 'budget'`
    expect(installed).toEqual([{ version: budget.version }])
    const verified = await verifyWith(runtime.host.registry.get('budget')!.ctx)
    expect(verified).toMatchObject({ ok: true, text: expect.stringContaining(`${documents} signed PDFs. All hold.`) })
  })

  it('has contents with the digests that were decided on, and totals that add up', async () => {
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
  })
})
