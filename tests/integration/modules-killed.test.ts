import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aWorld, type World } from '../support/modules.ts'

const script = join(import.meta.dirname, '../support/boot-and-die.ts')

/** Every kind of step: several revisions, a seed, a hook. */
function writeModule(world: World) {
  world.write('notebook', {
    migrations: { '0000_note.sql': 'create table note (id serial primary key, text text not null);', '0001_more.sql': 'alter table note add column more text;' },
    seed: [{ xml_id: 'first', table: 'note', values: { text: 'seeded' } }],
    code: 'export default { hooks: { install: ctx => ctx.sql`insert into note (text) values (\'install\')` } }'
  })
}

/** Resolves to what the process printed, or null when it was killed. */
function bootAndDie(world: World, piece: number, when: 'before' | 'after'): Promise<string | null> {
  const { config } = world
  const env = { PATH: process.env.PATH, DATABASE_URL: config.database_url!, SVC_SECRET: config.secret!, SVC_STORAGE: config.storage, LOG_LEVEL: 'silent' }
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [script, config.root, String(piece), when], { env }, (error, stdout) => {
      if (error && error.signal !== 'SIGKILL') reject(error)
      else resolve(error ? null : stdout)
    })
  })
}

async function ending(world: World) {
  const { sql } = world.database
  return {
    modules: await sql`select name, state, version, applied_revision, error_message, pending from core_module order by name`,
    log: await sql`select module_name, operation, step, status, detail from core_module_operation_log order by id`,
    migrations: await sql`select module_name, revision, checksum from core_migration order by 1, 2`,
    external: await sql`select module_name, xml_id, table_name, record_id from core_external_id`,
    notes: await sql`select text from note order by text`,
    columns: await sql`select table_name, column_name from information_schema.columns where table_schema = 'public' order by 1, 2`
  }
}

test('a boot killed before or after any piece of work is finished by the next one, as if undisturbed', { timeout: 300_000 }, async () => {
  const undisturbed = await aWorld()
  writeModule(undisturbed)
  const pieces = Number(await bootAndDie(undisturbed, 0, 'after'))
  expect(pieces).toBeGreaterThan(15)
  const expected = await ending(undisturbed)
  await undisturbed.close()

  // Killed before the commit of one piece, the database stands as after the one before it: a sample of those will do.
  const points = Array.from({ length: pieces }, (_, index) => index + 1)
    .flatMap(piece => [{ piece, when: 'after' as const }, ...(piece % 4 === 0 ? [{ piece, when: 'before' as const }] : [])])
  const inPairs = Array.from({ length: Math.ceil(points.length / 2) }, (_, index) => points.slice(index * 2, index * 2 + 2))
  for (const pair of inPairs) {
    await Promise.all(pair.map(async ({ piece, when }) => {
      const world = await aWorld()
      writeModule(world)
      expect(await bootAndDie(world, piece, when), `killed ${when} ${piece}`).toBeNull()
      await world.install()
      expect(await ending(world), `killed ${when} ${piece}`).toEqual(expected)
      await world.close()
    }))
  }
})
