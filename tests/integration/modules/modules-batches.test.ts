import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isProblem } from '@svc/kit'
import { runCommand } from '../../../server/core/modules/commands.ts'
import type { PlanModule } from '../../../server/core/modules/plan.ts'
import { aWorld, type World } from '../../support/modules/modules.ts'
import { anyStory, missingIn, type Story } from '../../support/modules/module-graphs.ts'

const table = (name: string) => `thing_${name}`

function writeModules(world: World, modules: PlanModule[]) {
  for (const { name, depends } of modules) {
    world.write(name, {
      depends,
      svc: { auto_install: false, removable: true },
      migrations: {
        '0000_thing.sql': `create table ${table(name)} (id serial primary key, text text);`,
        '0000_thing.down.sql': `drop table ${table(name)};`
      },
      seed: [{ xml_id: 'one', table: table(name), values: { text: name } }]
    })
  }
}

async function play(world: World, { modules, batches }: Story) {
  const { sql } = world.database
  writeModules(world, modules)
  await world.install()
  for (const batch of batches) {
    for (const { command, index } of batch) {
      await runCommand(world.commandHost(), { command, name: modules[index]!.name }).catch(
        (error: unknown) => {
          if (!isProblem(error)) throw error // a refusal is expected too
        }
      )
    }
    await world.install()
    const rows = await world.rows()
    const now = modules.map(({ name, depends }) => ({
      name,
      depends,
      state: (rows[name]?.state ?? 'uninstalled') as PlanModule['state']
    }))
    expect(Object.values(rows).filter(row => row.error_message !== null)).toEqual([])
    expect(now.filter(({ state }) => state.startsWith('to_'))).toEqual([])
    expect(missingIn(now)).toEqual([])
    const tables = (
      await sql`select table_name from information_schema.tables where table_name like 'thing\\_%' order by 1`
    ).map(row => row.table_name as string)
    expect(tables).toEqual(now.filter(({ state }) => state === 'installed').map(({ name }) => table(name)).sort())
  }
  expect((await world.log()).filter(({ status }) => status !== 'completed')).toEqual([])
}

test(
  'ten random graphs with batches of installs and uninstalls end with every row done and only tables of installed modules',
  { timeout: 200_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(anyStory({ size: 7, batches: 3 }), async (story) => {
        const world = await aWorld()
        try {
          await play(world, story)
        } finally {
          await world.close()
        }
      }),
      { numRuns: 10, endOnFailure: true }
    )
  }
)
