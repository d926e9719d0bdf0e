import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aWorld, type ModuleFiles, type World } from '../../support/modules/modules.ts'

let world: World
beforeEach(async () => {
  world = await aWorld()
})
afterEach(() => world.close())

const NOTE = {
  '0000_note.sql': 'create table note (id serial primary key, text text not null);',
  '0000_note.down.sql': 'drop table note;'
}
/** A module with a table, a record and hooks that record their calls inside the transaction. */
const aNotebook = (extra: ModuleFiles = {}): ModuleFiles => ({
  migrations: NOTE,
  seed: [{ xml_id: 'first', table: 'note', values: { text: 'seeded' } }],
  code: `const say = (ctx, text) => ctx.sql\`insert into note (text) values (\${text})\`
    export default { hooks: {
      install: ctx => say(ctx, 'install'),
      post_upgrade: (ctx, from) => say(ctx, 'upgraded from ' + from + ' ' + ctx.from_version),
      uninstall: ctx => say(ctx, 'uninstall')
    } }`,
  ...extra
})
const notes = async () => (await world.database.sql`select text from note order by id`).map(row => row.text)
const schedule = (name: string, state: string, pending: string | null = null) =>
  world.database.sql`update core_module set state = ${state}, pending = ${pending}::text::jsonb where name = ${name}`

describe('seeds', () => {
  const record = (xml_id: string, text: string, extra = {}) => ({ xml_id, table: 'note', values: { text }, ...extra })

  test('update their records on upgrade unless noupdate is set, and deleted records stay deleted', async () => {
    world.write(
      'notebook',
      aNotebook({ seed: [record('a', 'a1'), record('b', 'b1', { noupdate: true }), record('c', 'c1')] })
    )
    await world.boot()
    await world.database.sql`delete from note where text = 'c1'`
    world.write(
      'notebook',
      aNotebook({
        version: '2.0.0',
        seed: [record('a', 'a2'), record('b', 'b2', { noupdate: true }), record('c', 'c2')]
      })
    )
    await schedule('notebook', 'to_upgrade')
    await world.boot()
    expect((await notes()).filter(text => /^[abc]\d/.test(text)).sort()).toEqual(['a2', 'b1'])
  })

  test('can refer to records of their own module and of a dependency, in columns of any type', async () => {
    world.write('notebook', aNotebook())
    world.write('labels', {
      depends: ['notebook'],
      migrations: {
        '0000_label.sql':
          'create table label (id uuid primary key default gen_random_uuid(), note int, parent uuid, names jsonb, tags text[], price bigint, active boolean default true);'
      },
      seed: [
        {
          xml_id: 'root',
          table: 'label',
          values: {
            note: 'ref:notebook.first',
            names: { en: 'Root', es: 'Raíz' },
            tags: ['x', 'y'],
            price: '9007199254740993'
          }
        },
        { xml_id: 'child', table: 'label', values: { parent: 'ref:root' } }
      ]
    })
    await world.boot()
    const [root, child] = await world.database
      .sql`select l.*, l.price::text as price from label l order by parent nulls first`
    expect(root).toMatchObject({
      note: 1,
      names: { en: 'Root', es: 'Raíz' },
      tags: ['x', 'y'],
      price: '9007199254740993',
      active: true
    })
    expect(child!.parent).toBe(root!.id)
    expect(
      await world.database
        .sql`select module_name, xml_id, record_id from core_external_id where module_name = 'labels' order by xml_id`
    ).toEqual([
      { module_name: 'labels', xml_id: 'child', record_id: child!.id },
      { module_name: 'labels', xml_id: 'root', record_id: root!.id }
    ])
  })
})

describe('hooks', () => {
  test('can use their dependencies and write in the transaction of their step', async () => {
    world.write(
      'notebook',
      aNotebook({
        code: 'export default { exports: ctx => ({ add: text => ctx.sql`insert into note (text) values (${text})` }) }'
      })
    )
    world.write('top', {
      depends: ['notebook'],
      code: 'export default { hooks: { async install(ctx) { await ctx.use("notebook").add("from top"); throw new Error("after all not") } } }'
    })
    await world.boot()
    expect((await world.rows()).top).toMatchObject({ error_message: 'after all not' })
    expect(await notes()).toEqual(['seeded'])
    world.write('top', {
      depends: ['notebook'],
      code: 'export default { hooks: { install: ctx => ctx.use("notebook").add("from top") } }'
    })
    await world.boot()
    expect(await notes()).toEqual(['seeded', 'from top'])
  })

  test('do work outside the database once per operation', async () => {
    const mark = join(world.config.storage, 'mark')
    const code = (rest: string) => `import { appendFileSync } from 'node:fs'
      export default { hooks: { async install(ctx) {
        const value = await ctx.once('mark', async () => { appendFileSync(${JSON.stringify(mark)}, 'x'); return { kept: 42 } })
        ${rest}
      } } }`
    world.write('odd', { code: code('throw new Error("later")') })
    await world.boot()
    world.write('odd', { code: code('if (value.kept !== 42) throw new Error("lost")') })
    await world.boot()
    expect((await world.rows()).odd).toMatchObject({ state: 'installed', error_message: null })
    expect(existsSync(mark) && readFileSync(mark, 'utf8')).toBe('x')
  })
})
