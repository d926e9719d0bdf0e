import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openDatabase } from '../../server/core/db/client.ts'
import { startHeartbeat } from '../../server/core/db/heartbeat.ts'
import { createLog } from '../../server/core/log.ts'
import { aFolder, until } from '../support/cli.ts'
import { root } from '../support/modules/official.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

test('an embedded database whose processes were all killed answers again within five seconds', async () => {
  const folder = aFolder()
  undo.push(folder.remove)
  const database = await openDatabase({ database_url: null, storage: folder.path, root })
  undo.push(() => database.close())
  const heartbeat = startHeartbeat(database, createLog({ production: true, log_level: 'silent' }))
  undo.push(() => heartbeat.stop())
  for (let turn = 1; turn <= 3; turn++) {
    const pid = Number(readFileSync(join(folder.path, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0])
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
    const lost = heartbeat.change()
    const killed = performance.now()
    for (const each of [pid, ...children]) process.kill(each, 'SIGKILL')
    await lost
    await until(() => database.sql`select 1`.then(() => true, () => false))
    const seconds = (performance.now() - killed) / 1000
    process.stderr.write(`embedded database: answers again ${seconds.toFixed(1)} s after the kill\n`)
    expect(seconds).toBeLessThan(5)
  }
})
