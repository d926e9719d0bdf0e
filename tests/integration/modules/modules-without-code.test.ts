import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import product from '../../../package.json' with { type: 'json' }
import { runCommand, type Command } from '../../../server/core/modules/commands.ts'
import { aWorld, writeModule, type ModuleFiles, type World } from '../../support/modules/modules.ts'

let world: World
beforeEach(async () => {
  world = await aWorld()
})
afterEach(() => world.close())

const aNotebook = (code: string): ModuleFiles => ({
  migrations: {
    '0000_note.sql': 'create table note (id serial primary key, text text not null);',
    '0000_note.down.sql': 'drop table note;'
  },
  seed: [{ xml_id: 'first', table: 'note', values: { text: 'seeded' } }],
  code
})
const steps = async () => (await world.log()).map(row => `${row.operation} ${row.step} ${row.status}`)

describe('a removal', () => {
  test('of a module whose code throws at import waits for --force, which removes it without its code', async () => {
    const folder = join(world.config.root, 'node_modules/svc-module-recall')
    writeModule(folder, 'recall', aNotebook('throw new Error("not on this machine")'))
    await (await world.boot()).close()
    const command = (name: Command, force = false) =>
      runCommand(
        world.commandHost(product.version),
        { command: name, name: 'recall', force }
      )
    await command('install')
    await world.boot()
    expect(await steps()).toEqual(['install migrate completed', 'install seed completed', 'install lifecycle failed'])
    await expect(command('cancel')).rejects.toMatchObject({
      fields: { hint: expect.stringContaining('svc modules uninstall recall --force') }
    })

    await command('uninstall')
    await world.boot()
    const way
      = 'its code cannot be loaded: not on this machine (svc modules uninstall recall --force removes it without its code)'
    expect((await world.rows()).recall).toMatchObject({ state: 'to_remove', error_message: way })

    await command('uninstall', true)
    await world.boot()
    expect((await world.rows()).recall).toMatchObject({
      state: 'uninstalled',
      applied_revision: null,
      manifest: null,
      error_message: null
    })
    const left = await world.database.sql`
      select to_regclass('note') is null as gone, (select count(*)::int from core_external_id) as tracked, (select count(*)::int from core_migration where module_name = 'recall') as applied`
    expect(left).toEqual([{ gone: true, tracked: 0, applied: 0 }])
    const removal = (await world.log('recall')).slice(-5)
    expect(removal.map(row => `${row.step} ${row.status}`)).toEqual([
      'backup completed',
      'lifecycle skipped',
      'delete_records completed',
      'downgrade completed',
      'finalize completed'
    ])
    expect(removal[0]!.detail).toMatchObject({ rows: { note: 1 } })
    expect(removal[1]!.detail).toEqual({ hook: 'skipped', reason: 'its code cannot be loaded: not on this machine' })
  })

  test('without its code continues after the skipped step, and does not run hooks when the code is back', async () => {
    world.write('notebook', aNotebook('export default { hooks: { uninstall() { throw new Error("it ran") } } }'))
    await world.boot()
    const operation = '5c1f6f34-3f7e-4a54-9f3e-222222222222'
    await world.database.sql`
      update core_module set state = 'to_remove', pending = ${JSON.stringify({ operation_id: operation, force: true })}::text::jsonb where name = 'notebook'`
    await world.database.sql`
      insert into core_module_operation_log (module_name, operation, step, status, operation_id, detail) values
        ('notebook', 'uninstall', 'backup', 'completed', ${operation}, null), ('notebook', 'uninstall', 'lifecycle', 'skipped', ${operation}, '{"hook": "skipped"}')`
    await world.boot()
    expect((await steps()).slice(-4)).toEqual([
      'uninstall lifecycle skipped',
      'uninstall delete_records completed',
      'uninstall downgrade completed',
      'uninstall finalize completed'
    ])
  })
})
