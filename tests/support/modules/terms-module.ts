import { join } from 'node:path'
import type { Instance } from '../instance.ts'
import { writeModule, type ModuleFiles } from './modules.ts'
import { schedule } from './packages.ts'

/** What the module returns when it is called: a clause's text, or one of the faults below. */
export type Mode
  = | 'none' | 'two' | 'eight' | 'long' | 'longer' | 'twice' | 'no-list' | 'no-text' | 'override'
    | 'throw' | 'problem' | 'exit' | 'hang' | 'late' | 'sleep' | 'caught' | 'own'

const modes = (name: string): string => `
  none: () => [],
  two: async (ctx, at) => [
    { id: 'deposit', title: 'Deposit', text: \`\${at.locale}: 30 % of \${at.total} \${at.currency} are due\\nwhen you accept.\` },
    { id: 'number', title: 'For ' + at.number, text: 'Version ' + at.version + ', asked ' + await note(ctx, at) + ' times.' }
  ],
  eight: () => Array.from({ length: 8 }, (_, index) => ({ id: 'c' + index, title: 'Title', text: 'Text' })),
  long: () => [{ id: 'long', title: 'x'.repeat(200), text: 'ä'.repeat(2000) }],
  longer: () => [{ id: 'long', title: 'Long', text: 'x'.repeat(2001) }],
  twice: () => [{ id: 'same', title: 'A', text: 'A' }, { id: 'same', title: 'B', text: 'B' }],
  'no-list': () => 'Deposit',
  'no-text': () => [{ id: 'deposit', title: 'Deposit', text: '  ' }],
  override: () => [{ id: 'deposit', title: 'Deposit', text: 'a \\u202E b' }],
  throw: async (ctx, at) => { await note(ctx, at); throw new Error('out of ${name}') },
  problem: ctx => { throw ctx.problem('no_deposit', { detail: 'Set the deposit first.' }) },
  exit: () => process.exit(3),
  hang: () => new Promise(() => {}),
  // It continues after its caller has stopped waiting for it.
  late: async (ctx, at) => {
    await new Promise(resolve => setTimeout(resolve, 2200))
    globalThis.termsLate = await note(ctx, at).then(() => 'written', error => error.cause.message)
    return []
  },
  sleep: async (ctx, { tx }) => { await tx.execute(ctx.pg.sql\`select pg_sleep(60)\`); return [] },
  // Does not use the transaction that it was given.
  own: async (ctx, { clinic_id, budget_id }) => {
    await ctx.sql\`insert into ${name}_asked values (\${budget_id}, \${clinic_id}, '{}')\`
    await ctx.db.execute(ctx.pg.sql\`select 1 from budget where id = \${budget_id} for update\`)
    return []
  },
  caught: async (ctx, { tx }) => { await tx.execute(ctx.pg.sql\`select 1 / 0\`).catch(() => {}); return [] }`

/**
 * A community module with clauses for budgets. Its table `<name>_mode` selects its behaviour, and `<name>_asked` has a
 * row for each time that it wrote one in the sending's transaction.
 */
export const termsModule = (name: string): ModuleFiles => ({
  depends: ['budget'],
  migrations: {
    '0000_terms.sql': `create table ${name}_mode (mode text not null, clinic_id uuid);
--> statement-breakpoint
insert into ${name}_mode values ('two');
--> statement-breakpoint
create table ${name}_asked (budget_id uuid not null, clinic_id uuid not null, asked jsonb not null);`,
    '0000_terms.down.sql': `drop table ${name}_asked;\n--> statement-breakpoint\ndrop table ${name}_mode;`
  },
  code: `
const modes = {${modes(name)}
}

async function note(ctx, { tx, ...at }) {
  await tx.execute(ctx.pg.sql\`insert into ${name}_asked values (\${at.budget_id}, \${at.clinic_id}, \${JSON.stringify(at)}::text::jsonb)\`)
  const [{ n }] = await tx.execute(ctx.pg.sql\`select count(*)::int as n from ${name}_asked where budget_id = \${at.budget_id}\`)
  return n
}

export default {
  problems: { no_deposit: { status: 409, title: 'No deposit' } },
  clauses: {
    'budget.content': async (ctx, at) => {
      const [{ mode }] = await at.tx.execute(ctx.pg.sql\`select mode from ${name}_mode\`)
      return await modes[mode](ctx, at)
    }
  }
}`
})

export async function installTerms(instance: Instance, ...names: string[]): Promise<void> {
  for (const name of names) {
    writeModule(join(instance.storage, `modules/node_modules/svc-module-${name}`), name, termsModule(name))
    await schedule(instance, 'install', name)
  }
  await instance.restart()
}

export const setMode = async ({ sql }: Pick<Instance, 'sql'>, mode: Mode, name = 'terms'): Promise<void> => {
  await sql`update ${sql(`${name}_mode`)} set mode = ${mode}`
}
