import { chownSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { startEmbedded } from '@svc/embedded-postgres'
import { aFolder } from '../support/cli.ts'
import { aDisk } from '../support/disk.ts'
import { onServer } from '../support/database/database-server.ts'
import { anInstance } from '../support/instance.ts'
import { root } from '../support/modules/official.ts'

const PATIENTS = '/api/v1/clinical/patients'
const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

/**
 * An instance whose tables are on a separate disk. The server's log is elsewhere, because PostgreSQL crashes when it is
 * full.
 */
async function anInstanceOnASmallDisk() {
  const folder = aFolder()
  undo.push(folder.remove)
  const embedded = await startEmbedded({ storage: folder.path, root })
  undo.push(() => embedded.release())
  const tables = join(folder.path, 'tables')
  const disk = aDisk(tables, { megabytes: 128 })
  undo.push(() => disk.remove())
  const { uid, gid } = statSync(join(folder.path, 'postgres/data'))
  chownSync(tables, uid, gid)
  await onServer(embedded.url('postgres'), sql => sql.unsafe(`create tablespace small location '${tables}'`))
  await onServer(embedded.url('postgres'), sql => sql.unsafe('create database small tablespace small'))
  const instance = await anInstance({ database_url: embedded.url('small') })
  undo.push(() => instance.close())
  return { instance, disk }
}

test(
  'a full database disk is reported within six seconds with 503 database_full, until there is space again',
  { timeout: 300_000 },
  async () => {
    const { instance, disk } = await anInstanceOnASmallDisk()
    const staff = await instance.as('receptionist')
    const write = () => staff.post(PATIENTS, { first_name: 'Ana', last_name: 'Ruiz', notes: 'x'.repeat(900) })
    const database = async () => {
      const health = await instance.runtime.health()
      return health.status === 'degraded' ? health.checks.database.status : health.status
    }
    expect((await write()).status).toBe(201)
    await expect.poll(database, { timeout: 60_000 }).toBe('healthy')

    disk.fill(0)
    const full = performance.now()
    await expect.poll(database, { timeout: 60_000 }).toBe('failing')
    const seen = (performance.now() - full) / 1000
    const answers = []
    do answers.push(await write()); while (answers.at(-1)!.status === 201)
    expect(answers.at(-1)).toMatchObject({ status: 503, body: { code: 'database_full' } })
    expect(answers.at(-1)!.headers.get('retry-after')).toBe('30')
    expect((await staff.get(PATIENTS)).status).toBe(200)

    disk.free(0)
    const freed = performance.now()
    expect((await write()).status).toBe(201)
    await expect.poll(database, { timeout: 60_000 }).toBe('healthy')
    const healed = (performance.now() - freed) / 1000
    process.stderr.write(`full disk: seen after ${seen.toFixed(1)} s, healthy ${healed.toFixed(1)} s after there was room\n`)
    expect(seen).toBeLessThan(6)
  }
)
