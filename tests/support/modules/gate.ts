import { join } from 'node:path'
import type { Instance } from '../instance.ts'
import { writeModule, type ModuleFiles } from './modules.ts'
import { schedule } from './packages.ts'

export const STEPS = ['budget.send', 'budget.accept', 'budget.reject', 'budget.withdraw', 'billing.issue'] as const
export type StepName = typeof STEPS[number]

/** What its guards do, by the mode in `gate_rule`. Before that, each writes a row in the step's transaction. */
const MODES = {
  allow: '{}',
  refuse: `{ throw ctx.problem('deposit_missing', { detail: 'Please pay 50.00 first.', amount: '50.00' }) }`,
  refuse_by_table: `{ throw ctx.problem('deposit_missing') }`,
  refuse_by_host: `{ throw ctx.problem('wrong_state', { detail: 'Not on a Sunday.' }) }`,
  refuse_as_other: `{ throw ctx.problem('already_decided') }`,
  throw: `{ throw new TypeError('boom') }`,
  hang: `{ await new Promise(() => {}) }`,
  block: `{ const until = performance.now() + 2100; while (performance.now() < until); }`,
  sleep: '{ await step.tx.execute(ctx.pg.sql`select pg_sleep(60)`) }',
  fail: '{ await step.tx.execute(ctx.pg.sql`select 1 / 0`) }',
  fail_and_catch: '{ await step.tx.execute(ctx.pg.sql`select 1 / 0`).catch(() => {}) }',
  fail_inside: '{ await step.tx.transaction(inner => inner.execute(ctx.pg.sql`select 1 / 0`)).catch(() => {}) }',
  forget: '{ void step.tx.execute(ctx.pg.sql`select 1 / 0`).catch(() => {}) }',
  forget_inside: '{ step.tx.transaction(inner => inner.execute(ctx.pg.sql`select 1`)).catch(() => {}) }',
  commit: '{ await step.tx.execute(ctx.pg.sql`commit`) }',
  call: '{ await fetch(arg) }',
  call_and_catch: '{ await fetch(arg).catch(() => {}) }',
  call_again: '{ await fetch(arg, { method: "POST" }) }',
  connect: `{ const { get } = await import('node:http'); await new Promise((resolve, reject) => get(arg, resolve).on('error', reject)) }`,
  mail: `{ await ctx.mail.send({ to: 'someone@else.test', subject: 'Hello', text: 'Hello' }) }`,
  channel: `{
    const message = { id: crypto.randomUUID(), clinic_id: step.payload.clinic_id, to: 'someone@else.test', locale: 'es' }
    await ctx.channels.send('email', { ...message, kind: 'notice', text: 'Hello', subject: 'Hello' }).catch(() => {})
  }`,
  write_late: `{
    globalThis.gate_late = new Promise(resolve => setTimeout(() => resolve(Promise.allSettled([
      step.tx.execute(ctx.pg.sql\`insert into gate_pass (step, payload) values ('late', '{}')\`),
      step.tx.transaction(inner => inner.execute(ctx.pg.sql\`insert into gate_pass (step, payload) values ('late', '{}')\`)),
      (async () => await ctx.sql\`insert into gate_pass (step, payload) values ('late', '{}')\`)()
    ])), 2200))
    await globalThis.gate_late
  }`,
  one_seat: `{
    const taken = await step.tx.execute(ctx.pg.sql\`update gate_rule set arg = 'taken' where step = 'seat' and arg = 'free' returning 1\`)
    if (taken.length === 0) throw ctx.problem('deposit_missing', { detail: 'No seat is left.' })
  }`,
  change: `{ step.payload.currency = 'XXX' }`,
  kill: `{ process.kill(process.pid, 'SIGKILL'); await new Promise(() => {}) }`
} as const
export type Mode = keyof typeof MODES

/** A community module that guards all steps. */
export const GATE: ModuleFiles = {
  depends: ['budget', 'billing'],
  svc: { guards: [...STEPS] },
  migrations: {
    '0000_gate.sql': `
      create table gate_rule (step text primary key, mode text, arg text);--> statement-breakpoint
      create table gate_pass (id serial primary key, step text not null, payload jsonb not null);`,
    '0000_gate.down.sql': 'drop table gate_pass, gate_rule;'
  },
  code: `const modes = {
    ${Object.entries(MODES).map(([name, body]) => `async ${name}(ctx, step, arg) ${body}`).join(',\n    ')}
  }
  async function guard(ctx, step) {
    const { sql } = ctx.pg
    await ctx.sql\`insert into gate_pass (step, payload) values (\${step.name}, \${JSON.stringify(step.payload)}::text::jsonb)\`
    const [rule] = await step.tx.execute(sql\`select mode, arg from gate_rule where step = \${step.name}\`)
    if (rule) await modes[rule.mode](ctx, step, rule.arg)
  }
  export default {
    problems: { deposit_missing: { status: 402, title: 'Deposit missing', detail: 'The deposit is missing.' } },
    before: Object.fromEntries(${JSON.stringify(STEPS)}.map(name => [name, guard])),
    exports: ctx => ({ passes: () => ctx.sql\`select step, payload from gate_pass order by id\` })
  }`
}

/** Writes it into the instance's volume and installs it. It runs after the restart. */
export async function installModule(instance: Instance, name: string, files: ModuleFiles): Promise<void> {
  putModule(instance, name, files)
  await schedule(instance, 'install', name)
  await instance.restart()
}

export const putModule = ({ storage }: Pick<Instance, 'storage'>, name: string, files: ModuleFiles) =>
  writeModule(join(storage, `modules/node_modules/svc-module-${name}`), name, files)

/** From now on the guard does this at a step. */
export async function setMode({ sql }: Pick<Instance, 'sql'>, step: StepName | 'seat', mode: Mode, arg = '') {
  await sql`
    insert into gate_rule values (${step}, ${mode}, ${arg})
    on conflict (step) do update set mode = excluded.mode, arg = excluded.arg`
}
