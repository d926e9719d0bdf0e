import { cpSync, mkdirSync, renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../server/core/config.ts'
import { openDatabase, type Database } from '../../server/core/db/client.ts'
import { start } from '../../server/core/runtime.ts'
import { aFolder, svc } from '../support/cli.ts'
import { writeModule } from '../support/modules/modules.ts'
import { coreOnly, root } from '../support/modules/official.ts'

/** The test has its own instance folder, with one module that brings commands. No server runs. */
const folder = aFolder()
const env = { SVC_ROOT: folder.path, PORT: '1', LOG_LEVEL: 'silent' }
const run = (words: string) => svc(words.split(' '), { env })
async function json(words: string) {
  const { code, stdout } = await run(`${words} --json`)
  return { code, document: JSON.parse(stdout) }
}

const COMMANDS = {
  'notes count': 'Count the notes',
  'notes list': 'List the notes of somebody',
  'hello': {
    summary: 'Say hello',
    options: { to: { value: 'name', description: 'Whom' }, loud: { description: 'In capitals' } }
  },
  'squares': 'Add up squares, in threads',
  'alone': 'Has no part',
  'modules list': 'Is the core\'s',
  'ghost': 'Is not in the code'
}
const code = `export default { commands: {
  'notes count': { run: async (ctx, { progress }) => {
    progress('counting'); console.log('aside')
    const [{ n }] = await ctx.sql\`select count(*)::int as n from note\`
    return { text: n + ' notes', json: { n }, ok: n === 0 }
  } },
  'notes list': { args: [{ name: 'person', description: 'Whose', required: true }, { name: 'day', description: 'Of one day' }], run: async (ctx, { args }) => {
    if (args.person === 'nobody') throw ctx.problem('not_found', { detail: 'There is nobody.' })
    return { text: JSON.stringify(args), json: args, ok: true }
  } },
  'hello': { run: async (ctx, { options }) => ({ text: options.to ? JSON.stringify(options) : 'Hello.', json: 'hello', ok: true }) },
  'squares': {
    args: [{ name: 'upto', description: 'The last one' }],
    run: async (ctx, { args, runPart }) => {
      const parts = await Promise.all(Array.from({ length: Number(args.upto) }, (_, n) => runPart({ n: n + 1 })))
      return { text: String(parts.reduce((sum, part) => sum + part.square, 0)), json: parts, ok: true }
    },
    part: async (ctx, { n }) => {
      const { isMainThread } = await import('node:worker_threads')
      const [{ square }] = await ctx.sql\`select (\${n}::int * \${n}::int)::int as square\`
      if (n === 7) throw new RangeError('seven is too much')
      return { square, module: ctx.module, isMainThread }
    }
  },
  'alone': { run: async (ctx, { runPart }) => await runPart(1) },
  'modules list': { run: async () => ({ text: 'theirs', json: null, ok: true }) }
} }`

let database: Database
beforeAll(async () => {
  mkdirSync(join(folder.path, 'layers'))
  symlinkSync(join(root, 'drizzle'), join(folder.path, 'drizzle'))
  cpSync(join(root, 'package.json'), join(folder.path, 'package.json'))
  database = await openDatabase({ database_url: null, storage: join(folder.path, 'storage'), root })
  const runtime = await start(readConfig(env, folder.path), coreOnly)
  await runtime.close()
  const migrations = {
    '0000_first.sql': 'create table note (id integer primary key)',
    '0000_first.down.sql': 'drop table note'
  }
  writeModule(join(folder.path, 'storage/modules/node_modules/svc-module-note'), 'note', {
    code,
    migrations,
    svc: { commands: COMMANDS }
  })
})
afterAll(async () => {
  await database.close()
  folder.remove()
})

describe('commands of modules', () => {
  it('are listed in the help with their summaries, without running their code', async () => {
    const { code, stdout } = await run('--help')
    expect(code).toBe(0)
    expect(stdout).toMatch(/notes +Of the module note: count, list\n/)
    expect(stdout).toMatch(/hello +Say hello\n/)
    expect((await run('notes --help')).stdout).toMatch(/count +Count the notes\n/)
    expect((await run('notes count --help')).stdout).toContain('Count the notes')
  })

  it('are suggested for a word that is similar to one of them', async () => {
    const { code, stderr } = await run('note count')
    expect([code, stderr]).toEqual([2, expect.stringContaining('Did you mean "notes"?')])
    expect((await run('notes cuont')).stderr).toContain('Did you mean "count"?')
  })

  it('of a module that is not installed explain how to install it', async () => {
    expect(await run('notes count')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/module note, which is not installed.*\n.*svc modules install note/)
    })
    expect(await json('hello')).toMatchObject({ code: 1, document: { error: { code: 'module_not_installed' } } })
  })

  it('need the database, and report a wrong setting', async () => {
    expect((await svc(['hello', '--json'], { env: { ...env, DATABASE_URL: 'postgres://127.0.0.1:1/svc' } })).code).toBe(
      4
    )
    expect((await svc(['hello'], { env: { ...env, PORT: 'x' } })).code).toBe(78)
    expect((await svc(['--help'], { env: { ...env, PORT: 'x' } })).code).toBe(0)
  })
})

describe('commands of an installed module', () => {
  beforeAll(async () => {
    await run('modules install note')
    const runtime = await start(readConfig(env, folder.path), coreOnly)
    await runtime.close()
  })

  it('can run parts of their work in threads, each with its own ctx', async () => {
    expect(await run('squares 6')).toEqual({ code: 0, stdout: '91\n', stderr: '' })
    const { document } = await json('squares 2')
    expect(document).toEqual([1, 4].map(square => ({ square, module: 'note', isMainThread: false })))
  })

  it('fail with the error that one of these parts throws', async () => {
    expect(await run('squares 8')).toMatchObject({ code: 1, stderr: expect.stringContaining('seven is too much') })
    expect(await run('alone')).toMatchObject({ code: 1, stderr: expect.stringContaining('The command "alone" of the module note has no `part`') })
  })

  it('run while the server is down, and output of the package is not part of their data', async () => {
    expect(await run('notes count')).toEqual({ code: 0, stdout: '0 notes\n', stderr: 'aside\n' })
    expect(await run('hello')).toEqual({ code: 0, stdout: 'Hello.\n', stderr: '' })
    expect(await json('notes count')).toEqual({ code: 0, document: { n: 0 } })
  })

  it('accept the options in the manifest, and no others', async () => {
    expect(await run('hello --to Ana')).toMatchObject({ code: 0, stdout: '{"to":"Ana"}\n' })
    expect(await run('hello --loud --to=Ana')).toMatchObject({ code: 0, stdout: '{"to":"Ana","loud":true}\n' })
    expect((await run('hello --help')).stdout).toMatch(/--to=<name> +Whom[\s\S]*--loud +In capitals/)
    expect(await run('hello --to')).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--to') })
    expect(await run('hello --from Ana')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('--from')
    })
  })

  it('end with exit code 1 if they report a problem', async () => {
    await database.sql`insert into note values (1)`
    expect(await run('notes count')).toMatchObject({ code: 1, stdout: '1 notes\n' })
  })

  it('get their arguments in order; missing or extra ones and unknown options are usage errors', async () => {
    expect((await json('notes list ana 2026-01-01')).document).toEqual({ person: 'ana', day: '2026-01-01' })
    expect((await json('notes list ana')).document).toEqual({ person: 'ana' })
    for (const [words, says] of [
      ['notes list', 'PERSON'],
      ['notes list a b c', 'Unexpected word "c"'],
      ['hello you', 'Unexpected word "you"'],
      ['notes list a --all', 'Unknown option'],
      ['notes', 'No command was given']
    ] as const) {
      expect([words, await run(words)]).toEqual([words, { code: 2, stdout: '', stderr: expect.stringContaining(says) }])
    }
  })

  it('can throw problems, which are printed with their code', async () => {
    expect(await json('notes list nobody')).toMatchObject({
      code: 2,
      document: { error: { code: 'not_found', message: 'There is nobody.' } }
    })
  })

  it('are reported if the code lacks them, and can\'t replace a command of the core', async () => {
    expect(await json('ghost')).toMatchObject({ code: 1, document: { error: { code: 'command_missing' } } })
    expect((await run('modules list')).stdout).toMatch(/^NAME /)
  })

  it('do not run without the instance\'s secret', async () => {
    const secret = join(folder.path, 'storage/secret')
    renameSync(secret, `${secret}.away`)
    try {
      expect(await json('hello')).toMatchObject({
        code: 1,
        document: { error: { code: 'secret_unknown', hint: expect.stringContaining('SVC_SECRET') } }
      })
    } finally {
      renameSync(`${secret}.away`, secret)
    }
  })

  it('of a module that does not start explain why', async () => {
    await database.sql`update core_module set state = 'to_upgrade' where name = 'note'`
    expect(await json('hello')).toMatchObject({
      code: 1,
      document: { error: { code: 'module_errored', message: expect.stringContaining('its upgrade is pending') } }
    })
  })
})
