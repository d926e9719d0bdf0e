import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../support/builders.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { root } from '../../support/modules/official.ts'

let instance: Instance
beforeAll(async () => {
  instance = await anInstance()
})
afterAll(() => instance.close())

const run = (name: string) => instance.sql.unsafe(readFileSync(join(root, 'drizzle', name), 'utf8'))
const schemas = async () => (await instance.sql`select from pg_namespace where nspname = 'graphile_worker'`).length

test('a new database contains nothing of the former job library', async () => {
  expect(await schemas()).toBe(0)
})

test('the upgrade keeps a schema of that name that another application made', async () => {
  await instance.sql.unsafe('create schema graphile_worker; create table graphile_worker.theirs (id int)')
  await run('0028_one_job_system.sql')
  expect(await instance.sql`select to_regclass('graphile_worker.theirs') is not null as stays`).toEqual([{ stays: true }])
  await instance.sql.unsafe('drop schema graphile_worker cascade')
})

test('the upgrade removes its tables, and the previous release can still publish with notifications', async () => {
  await instance.sql.unsafe(`create schema graphile_worker; create table graphile_worker._private_jobs (id int);
    create function graphile_worker.add_job(identifier text, payload json default null, queue_name text default null,
      run_at timestamptz default null) returns graphile_worker._private_jobs language sql as 'select 1';
    comment on schema graphile_worker is 'graphile-worker 0.18.0'`)
  await run('0028_one_job_system.sql')
  expect(await instance.sql`select relname from pg_class where relnamespace = 'graphile_worker'::regnamespace`).toEqual([])

  const heard: string[] = []
  await instance.sql.listen('svc_work', text => heard.push(text))
  const line = { module: 'core', line: 'job:1' }
  await instance.sql.begin(async (tx) => { // as the previous release does
    await tx`select count(graphile_worker.add_job('dispatch', ${JSON.stringify(line)}::text::json, run_at => clock_timestamp()))`
    await tx`select graphile_worker.add_job('sweep')`
    await tx`select count(graphile_worker.add_job('webhook', json_build_object('webhook_id', id), run_at => clock_timestamp() + interval '5 seconds'))
      from jsonb_array_elements_text('["w"]'::jsonb) as webhook (id)`
  })
  await eventually(async () => heard.length === 3, 'three notices')
  expect(heard.map(text => text === '' ? '' : JSON.parse(text))).toEqual([line, '', { webhook_id: 'w' }])
})

test('the downgrade leaves no tables of it, because the previous release creates them itself', async () => {
  await run('0028_one_job_system.down.sql')
  expect(await schemas()).toBe(0)
})
