import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anInstance, type Instance } from '../../support/instance.ts'

let instance: Instance
beforeAll(async () => {
  instance = await anInstance()
})
afterAll(() => instance.close())

describe('before traffic is accepted', () => {
  test('on a fresh database the official modules install through the pipeline, each step logged', async () => {
    const rows = await instance.sql`select name, state, error_message from core_module order by name`
    expect(rows.map(row => ({ ...row }))).toEqual(
      ['billing', 'budget', 'catalog', 'clinical', 'reports'].map(name => ({
        name,
        state: 'installed',
        error_message: null
      }))
    )

    const steps
      = await instance.sql`select module_name, array_agg(step || ':' || status order by id) as steps from core_module_operation_log group by 1 order by 1`
    for (const { steps: logged } of steps)
      expect(logged).toEqual(['migrate', 'seed', 'lifecycle', 'finalize'].map(step => `${step}:completed`))
  })

  test('a second start runs no step again', async () => {
    const count = () => instance.sql`select count(*)::int as n from core_module_operation_log`
    const [before] = await count()
    await instance.restart()
    expect(await count()).toEqual([before])
  })

  test('folders below the storage that other users could read are restricted to the owner', async () => {
    const files = ['documents', 'outbox', 'backups', 'run'].map(name => join(instance.storage, name))
    await instance.restart(async () => {
      for (const folder of files) {
        mkdirSync(folder, { recursive: true })
        chmodSync(folder, 0o755)
      }
    })
    expect(files.map(file => statSync(file).mode & 0o777)).toEqual(files.map(() => 0o700))
  })
})
