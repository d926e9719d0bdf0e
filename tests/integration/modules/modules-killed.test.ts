import { execFile } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listBackups } from '../../../server/core/modules/backup/backup.ts'
import { bundle } from '../../support/browser/bundle.ts'
import { objectsOf } from '../../support/documents/digest.ts'
import { aWorld, type World } from '../../support/modules/modules.ts'

let script: { folder: string, file: string }
beforeAll(async () => {
  script = await bundle(join(import.meta.dirname, '../../support/database/boot-and-die.ts'))
})
afterAll(() => rmSync(script.folder, { recursive: true }))

/** `npm run test:load` kills at each point. */
const EVERY = process.env.LOAD ? 1 : 3

interface Point { at: number, when: 'before' | 'after' | 'file' }
interface Lived { pieces: string[], files: number }

/**
 * Has every kind of step: several revisions, a seed, hooks that write in the step, publish, and have one external
 * effect.
 */
function writeModule(world: World, version: '1.0.0' | '1.1.0') {
  const isNew = version === '1.1.0'
  world.write('notebook', {
    version,
    migrations: {
      '0000_note.sql':
        'create table note (id text primary key, text text not null, parent text references note(id) deferrable);',
      '0000_note.down.sql': 'drop table note;',
      ...(isNew
        ? {
            '0001_more.sql': 'alter table note add column more text;',
            '0001_more.down.sql': 'alter table note drop column more;',
            '0002_tag.sql': 'create table note_tag (tag text primary key);',
            '0002_tag.down.sql': 'drop table note_tag;'
          }
        : {})
    },
    seed: [
      { xml_id: 'first', table: 'note', values: { id: 'first', text: `seeded by ${version}` } },
      { xml_id: 'second', table: 'note', values: { id: 'second', text: 'below it', parent: 'ref:first' } },
      ...(isNew ? [{ xml_id: 'tag', table: 'note_tag', values: { tag: 'new' } }] : [])
    ],
    code: `import { appendFileSync } from 'node:fs'
      const say = hook => async (ctx) => {
        appendFileSync(new URL('../../../calls.log', import.meta.url), hook + '\\n')
        await ctx.sql\`insert into hook_call (hook, from_version) values (\${hook}, \${ctx.from_version})\`
        await ctx.once('payment', async () => { appendFileSync(new URL('../../../payments.log', import.meta.url), hook + '\\n') })
        await ctx.events.publish(ctx.db, 'notebook.changed', { clinic_id: '00000000-0000-4000-8000-000000000001', hook })
      }
      export default { hooks: { install: say('install'), post_upgrade: say('post_upgrade'), uninstall: say('uninstall') } }`
  })
}

const callsOf = (world: World) => join(world.config.root, 'calls.log')
const paymentsOf = (world: World) => join(world.config.root, 'payments.log')
const linesIn = (file: string) => existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
const schedule = (world: World, state: string) =>
  world.database.sql`update core_module set state = ${state} where name = 'notebook'`

/** Prepares the state before each operation. The database of the first world is the template of the others. */
const OPERATIONS = {
  async install(world: World) {
    await world.database.sql`create table hook_call (id serial primary key, hook text not null, from_version text)`
  },
  async upgrade(world: World) {
    await OPERATIONS.install(world)
    writeModule(world, '1.0.0')
    await world.install()
    await schedule(world, 'to_upgrade')
  },
  async uninstall(world: World) {
    await OPERATIONS.install(world)
    writeModule(world, '1.1.0')
    await world.install()
    await world.database.sql`insert into note select n::text, 'by a user', 'first' from generate_series(1, 10) n`
    await schedule(world, 'to_remove')
  }
}
const VERSION = { install: '1.1.0', upgrade: '1.1.0', uninstall: '1.1.0' } as const

const isStep = (piece: string) => piece !== '' && piece !== 'wrote'

/** Null if the process was killed. */
function bootAndDie(world: World, { at, when }: Point): Promise<Lived | null> {
  const { config } = world
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: config.database_url!,
    SVC_SECRET: config.secret!,
    SVC_STORAGE: config.storage,
    LOG_LEVEL: 'silent'
  }
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [script.file, config.root, String(at), when], { env }, (error, stdout) => {
      if (error && error.signal !== 'SIGKILL') reject(error)
      else resolve(error ? null : JSON.parse(stdout) as Lived)
    })
  })
}

async function ending(world: World) {
  const { sql } = world.database
  const log = await sql`
    select module_name, operation, step, status, finished_at is not null as finished, detail - 'file' as detail from core_module_operation_log order by id`
  const [tables] = await sql`select to_regclass('note') is not null as note, to_regclass('note_tag') is not null as tag`
  const backups = await listBackups(world.config)
  return {
    modules:
      await sql`select name, state, version, applied_revision, error_message, manifest, pending from core_module order by name`,
    log: log.map(({ detail, ...row }) => ({
      ...row,
      detail: detail && Object.fromEntries(Object.entries(detail as object).filter(([key]) => key !== 'sha256'))
    })),
    migrations: await sql`select module_name, revision, checksum from core_migration order by 1, 2`,
    external: await sql`select module_name, xml_id, table_name, record_id from core_external_id order by 2`,
    rows: [
      tables!.note ? await sql`select text, parent from note order by id` : null,
      tables!.tag ? await sql`select * from note_tag` : null
    ],
    objects: await objectsOf(sql),
    hooks: await sql`select hook, from_version from hook_call order by id`,
    events: await sql`select name, payload->>'hook' as hook from core_event order by seq`,
    payments: linesIn(paymentsOf(world)).length,
    backups: backups.map(({ module, version, revision, rows }) => ({ module, version, revision, rows }))
  }
}

/**
 * The points after every part that wrote, inside every part that completes a step, and before each operation on a
 * backup's files.
 */
function pointsOf({ pieces, files }: Lived): Point[] {
  return [
    ...pieces.flatMap((piece, index): Point[] => [
      ...(isStep(piece) ? [{ at: index + 1, when: 'before' as const }] : []),
      ...(piece === '' ? [] : [{ at: index + 1, when: 'after' as const }])
    ]),
    ...Array.from({ length: files }, (_, index): Point => ({ at: index + 1, when: 'file' }))
  ]
}

async function inParallel<T>(items: T[], width: number, run: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...items]
  await Promise.all(Array.from({ length: width }, async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await run(item)
  }))
}

describe.each(['install', 'upgrade', 'uninstall'] as const)(
  '%s, killed before, inside or after any step,',
  (operation) => {
    test(
      'is finished by the next start as if undisturbed, and no completed hook runs again',
      { timeout: 400_000 },
      async () => {
        const template = await aWorld({ empty: true })
        await OPERATIONS[operation](template)

        async function begin() {
          const world = await aWorld({ like: template })
          writeModule(world, VERSION[operation])
          return world
        }

        const undisturbed = await begin()
        const lived = await bootAndDie(undisturbed, { at: 0, when: 'after' })
        const expected = await ending(undisturbed)
        expect(expected.modules).toMatchObject([
          {
            name: 'notebook',
            state: operation === 'uninstall' ? 'uninstalled' : 'installed',
            pending: null,
            error_message: null
          }
        ])
        expect(lived!.pieces.filter(isStep)).toHaveLength(operation === 'uninstall' ? 5 : 4)
        await undisturbed.close()

        await inParallel(
          pointsOf(lived!).filter((_, index) => index % EVERY === 0),
          3,
          async (point) => {
            const where = `killed ${point.when} ${point.at} ${point.when === 'file' ? '' : lived!.pieces[point.at - 1]}`
            const world = await begin()
            expect(await bootAndDie(world, point), where).toBeNull()
            await world.install()
            expect(await ending(world), where).toEqual(expected)
            const isInsideHook = point.when === 'before' && lived!.pieces[point.at - 1] === 'notebook lifecycle'
            expect(linesIn(callsOf(world)), where).toHaveLength(isInsideHook ? 2 : 1)
            await world.close()
          }
        )
        await template.close()
      }
    )
  }
)
