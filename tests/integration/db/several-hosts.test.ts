import { tmpdir } from 'node:os'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Database } from '../../../server/core/db/client.ts'
import { aCertificate } from '../../support/outside/certificates.ts'
import { root } from '../../support/modules/official.ts'
import { aPostgresPair, type PostgresPair } from '../../support/database/postgres-pair.ts'

/** The URL names the standby first. */
let pair: PostgresPair
let database: Database
let others: Sql
const open = (database_url: string) => openDatabase({ database_url, storage: tmpdir(), root }, { max: 2 })
const listed = () => `postgres://postgres@127.0.0.1:${pair.standby.port},127.0.0.1:${pair.primary.port}/postgres`

beforeAll(async () => {
  pair = await aPostgresPair()
  await pair.primary.ask('create table written (by text)')
  await pair.caughtUp()
  database = await open(`${listed()}?target_session_attrs=read-write`)
  others = database.connect({ max: 2 })
})
afterAll(async () => {
  await database.close()
  await pair.close()
})

const writeBoth = async (word: string) => {
  await database.sql`insert into written values (${`${word}, requests`})`
  await others`insert into written values (${`${word}, jobs`})`
  return true
}

test('if the URL has several hosts, all clients use the writable one', async () => {
  await writeBoth('first')
  expect(await pair.primary.ask('select by from written order by by')).toEqual([
    { by: 'first, jobs' },
    { by: 'first, requests' }
  ])
})

test.each(['require', 'prefer'])(
  'with sslmode=%s all clients use TLS, without verifying the certificate',
  async (mode) => {
    const { certificate, key } = await aCertificate({ kind: 'P-256' })
    for (const [name, text] of Object.entries({ 'server.crt': certificate, 'server.key': key })) {
      await pair.primary.ask(
        `copy (select '${Buffer.from(text).toString('base64')}') to program 'umask 077; base64 -d > ${name}'`
      )
    }
    await pair.primary.ask('alter system set ssl = on')
    await pair.primary.ask('select pg_reload_conf()')
    await expect.poll(() => pair.primary.ask('show ssl')).toEqual([{ ssl: 'on' }])
    for (const address of [pair.primary.url(), listed()]) {
      const encrypted = await open(`${address}?sslmode=${mode}`)
      const jobs = encrypted.connect()
      const ask = 'select ssl from pg_stat_ssl where pid = pg_backend_pid()'
      expect([await encrypted.sql.unsafe(ask), await jobs.unsafe(ask)]).toEqual([
        [{ ssl: true }],
        [{ ssl: true }]
      ])
      await encrypted.close()
    }
  }
)

test('after a failover all clients find the new primary by themselves', async () => {
  await pair.caughtUp()
  await pair.primary.stop()
  await expect(database.sql`insert into written values ('nowhere')`).rejects.toMatchObject({
    code: expect.stringMatching(/^CONNECTION_|database_read_only/)
  })
  await expect(open(listed())).rejects.toMatchObject({ name: 'DatabaseError', code: 'database_read_only' })
  await pair.promote()
  await expect.poll(() => writeBoth('second').catch(() => false)).toBe(true)
  expect(await pair.standby.ask(`select by from written where by like 'second%' order by by`)).toEqual([
    { by: 'second, jobs' },
    { by: 'second, requests' }
  ])
})

test('a former primary that is writable again gets no connection of an instance that has found the new one', async () => {
  await pair.primary.start()
  database.sockets.renew()
  await expect.poll(() => writeBoth('third').catch(() => false)).toBe(true)
  expect(await pair.standby.ask(`select count(*)::int as n from written where by like 'third%'`)).toEqual([{ n: 2 }])
})
