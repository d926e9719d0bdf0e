import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeData } from '../../../server/core/modules/backup/backup-data.ts'
import { aWorld, type World } from '../../support/modules/modules.ts'
import { fillOdd, ODD, ODD_TABLES } from '../../support/modules/odd-module.ts'

let world: World
beforeAll(async () => {
  world = await aWorld()
  world.write('odd', ODD)
  await world.install()
  await world.database.sql.unsafe(fillOdd)
})
afterAll(() => world.close())

test('a backup is written in order, even if the disk is slow: the end of a table never precedes its rows', async () => {
  const subject = { name: 'odd', version: '1.0.0', revision: '0001_odd_triggers', tables: ODD_TABLES, sequences: [] }
  let writing = 0
  let atOnce = 0
  await world.database.connect({ name: 'test-backup' }).begin('isolation level repeatable read read only', tx =>
    writeData(tx, subject, async () => {
      atOnce = Math.max(atOnce, ++writing)
      await new Promise(resolve => setTimeout(resolve, 20)) // simulates the slow disk
      writing -= 1
    })
  )
  expect(atOnce).toBe(1)
})
