import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ConfigError, type Config } from '../../../server/core/config.ts'
import { examine, type Diagnosis } from '../../../server/core/doctor/doctor.ts'
import { start, type Runtime } from '../../../server/core/runtime.ts'
import { createSecrets } from '../../../server/core/secrets.ts'
import { checkSecretOf } from '../../../server/core/people/seals/used-secrets.ts'
import { cleanEnv, svc, textOf } from '../../support/cli.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { official, root } from '../../support/modules/official.ts'
import { aSentBudget, aVerifiedPatient, type SentBudget } from '../../support/builders.ts'

const FIRST = 'a secret for tests, long enough to pass'
const SECOND = 'another secret of tests, as long as that'
const THIRD = 'the third secret of tests, even longer than that'

let instance: Instance
beforeAll(async () => {
  instance = await anInstance()
})
afterAll(() => instance.close())

const configOf = (change: Partial<Config>): Config => ({ ...instance.runtime.host.config, ...change })
const idOf = (secret: string) => createSecrets(configOf({ secret })).known[0]!.id
const used = async () =>
  (await instance.sql`select key_id, "until" is null as current from core_secret order by since`).map(row => ({
    ...row
  }))

/** Every row of every table, and the value of each sequence. */
async function contentOf(sql: postgres.Sql): Promise<Record<string, string>> {
  const tables
    = await sql`select schemaname as schema, tablename as name from pg_tables where schemaname = 'public' order by 1, 2`
  const content: Record<string, string> = {}
  for (const { schema, name } of tables) {
    const [row]
      = await sql`select md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as digest from ${sql(schema)}.${sql(name)} as t`
    content[`${schema}.${name}`] = row!.digest
  }
  const [sequences]
    = await sql`select md5(string_agg(s::text, ',' order by schemaname, sequencename)) as digest from pg_sequences s`
  return { ...content, sequences: sequences!.digest }
}

/** Starts the product in a separate process. */
async function startWith(env: Record<string, string>): Promise<{ code: number, stderr: string }> {
  const boot = `import('./server/boot.ts').then(({ boot }) => boot({ modules: {}, routes: [] }, { pages: async () => {} }))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', boot], {
    cwd: root,
    env: cleanEnv(env),
    stdio: ['ignore', 'ignore', 'pipe']
  })
  const stderr = textOf(child.stderr)
  const [code] = await once(child, 'close')
  return { code, stderr: stderr() }
}

async function doctor(config: Config, modules: Parameters<typeof examine>[0]['modules'] = []): Promise<Diagnosis> {
  const { files, operator_certificate } = instance.runtime.host
  return await examine({
    sql: instance.sql,
    db: instance.runtime.host.db,
    config,
    files,
    operator_certificate,
    secrets: createSecrets(config),
    modules,
    broken: []
  })
}

describe('two instances with different secrets', () => {
  test('the second ends with exit code 78 and a plain sentence, and writes nothing', async () => {
    await instance.restart(async () => {
      const before = await contentOf(instance.sql)
      const { database_url, storage } = instance.runtime.host.config
      const ended = await startWith({ DATABASE_URL: database_url!, SVC_STORAGE: storage, SVC_SECRET: SECOND })
      expect(ended.code).toBe(78)
      expect(ended.stderr).toMatch(
        /SVC_SECRET is not the secret of this database: the one in use since [\d-]+ [\d:]+ UTC has the key id/
      )
      expect(ended.stderr).toContain(
        `neither SVC_SECRET (${idOf(SECOND)}) nor SVC_SECRET_PREVIOUS (not set) is that one`
      )
      expect(ended.stderr).not.toContain(SECOND)
      expect(await contentOf(instance.sql)).toEqual(before)
    })
  })

  test.each([
    {
      words: ['clinic', 'create', '--name', 'X', '--currency', 'EUR', '--time-zone', 'Europe/Madrid', '--locale', 'es']
    },
    { words: ['token', 'create', '--scope', 'admin'] },
    { words: ['modules', 'upgrade', 'billing'] },
    { words: ['privacy', 'export', '00000000-0000-4000-8000-000000000000'] }
  ])('svc $words.0 $words.1 with another secret is refused in the same way', async ({ words }) => {
    const { database_url } = instance.runtime.host.config
    const count = () =>
      instance.sql`select (select count(*) from core_clinic) as clinics, (select count(*) from core_token) as tokens, (select count(*) from core_module where state = 'to_upgrade') as upgrades`
    const before = await count()
    const other = await svc(words, { env: { DATABASE_URL: database_url!, SVC_SECRET: SECOND } })
    expect(other.code).toBe(78)
    expect(other.stderr).toContain('SVC_SECRET is not the secret of this database')
    expect(await count()).toEqual(before)
  })

  test('svc token create without the secret reports this, and creates no token', async () => {
    const { database_url } = instance.runtime.host.config
    const { code, stderr } = await svc(['token', 'create', '--scope', 'admin'], {
      env: { DATABASE_URL: database_url!, SVC_STORAGE: `${instance.storage}/empty` }
    })
    expect(code).toBe(78)
    expect(stderr).toContain('SVC_SECRET is missing')
  })

  test('the second is refused too if SQL removed the first one\'s row, or ended its time', async () => {
    await instance.as('admin')
    await instance.restart(async () => {
      await instance.sql`update core_secret set "until" = now()`
      await expect(start(configOf({ secret: SECOND }), official)).rejects.toThrow(
        'its sealing certificate was made under another one'
      )
      await instance.sql`delete from core_secret`
      await expect(start(configOf({ secret: SECOND }), official)).rejects.toThrow(
        'its sealing certificate was made under another one'
      )
      await expect(
        checkSecretOf(instance.sql, configOf({ secret: null, storage: `${instance.storage}/empty` }))
      ).rejects.toThrow('SVC_SECRET is missing')
      const certificates = await instance.sql`delete from core_certificate returning *`
      await expect(start(configOf({ secret: SECOND }), official)).rejects.toThrow(
        'its accounts were sealed under another one'
      )
      await instance.sql`insert into core_certificate ${instance.sql(certificates)}`
    })
    expect(await used()).toEqual([{ key_id: idOf(FIRST), current: true }])
  })

  test('a database of the previous release, which identifies its secret only by its certificate, is not migrated either', async () => {
    await instance.restart(async () => {
      await instance.sql`drop table core_secret`
      await expect(start(configOf({ secret: SECOND }), official)).rejects.toThrow(ConfigError)
      await expect(start(configOf({ secret: SECOND }), official)).rejects.toThrow(
        'its sealing certificate was made under another one'
      )
      await instance.sql`create table core_secret (key_id text primary key, mac bytea not null, since timestamptz not null default now(), "until" timestamptz)`
    })
    expect(await used()).toEqual([{ key_id: idOf(FIRST), current: true }])
  })
})

describe('a rotation', () => {
  let budget: SentBudget
  beforeAll(async () => {
    budget = await aSentBudget(instance)
  })

  /** Runs with these secrets. Afterwards, the secret that `anInstance` starts it with is restored. */
  async function under<T>(change: Partial<Config>, run: (config: Config, runtime: Runtime) => Promise<T>): Promise<T> {
    const config = configOf(change)
    const runtime = await start(config, official)
    try {
      return await run(config, runtime)
    } finally {
      await runtime.close()
    }
  }

  test('records the new secret, and rows made with the old one still open', async () => {
    const findings = await under(
      { secret: SECOND, secret_previous: FIRST },
      async config => (await doctor(config)).integrity
    )
    expect(findings).toEqual([])
    expect(await used()).toEqual([{ key_id: idOf(FIRST), current: false }, { key_id: idOf(SECOND), current: true }])
    await aVerifiedPatient(instance, budget)
  })

  test('names a forgotten former secret first, by its key id and its time of use, and marks rows that it may have sealed', async () => {
    await under({ secret: THIRD, secret_previous: SECOND }, async (config, { host }) => {
      const { integrity } = await doctor(config, host.registry.modules)
      expect(integrity[0]!.code).toBe('secret_missing')
      expect(integrity[0]!.object).toBe(`secret ${idOf(FIRST)}`)
      expect(integrity[0]!.message).toMatch(
        /^It was in use from [\d-]+ [\d:]+ UTC until [\d-]+ [\d:]+ UTC, but neither SVC_SECRET nor SVC_SECRET_PREVIOUS has it\./
      )
      const rows = integrity.filter(({ code }) => code === 'user_changed' || code === 'membership_changed')
      expect(rows).toHaveLength(2)
      for (const { message, fix } of rows) {
        expect(message).toMatch(/ (is|are) sealed with the missing secret, or (was|were) changed in the database\./)
        expect(fix).toBe('First add the missing secret (see secret_missing), restart, and run the doctor again.')
      }
    })
  })

  test('does not allow an instance to start again with only the old secret', async () => {
    await expect(start(configOf({ secret: SECOND }), official)).rejects.toThrow(`has the key id ${idOf(THIRD)}`)
  })
})
