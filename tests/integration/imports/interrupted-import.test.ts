import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createCaller } from '../../support/caller.ts'
import { cleanEnv, textOf, until } from '../../support/cli.ts'
import { anUpload, endOf, importFile, PATIENT_IMPORTS as IMPORTS } from '../../support/imports.ts'
import { anInstance, type Instance } from '../../support/instance.ts'
import { createPeople } from '../../support/people.ts'

let instance: Instance
beforeAll(async () => {
  instance = await anInstance()
})
afterAll(() => instance.close())

const SCRIPT = join(import.meta.dirname, '../../support/database/serve.ts')

async function serve(env: Record<string, string>): Promise<{ server: ChildProcess, url: string }> {
  const server = spawn(process.execPath, [SCRIPT], { env: cleanEnv(env), stdio: ['ignore', 'pipe', 'inherit'] })
  const stdout = textOf(server.stdout!)
  const url = await until(async () => {
    if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`)
    return stdout().includes('\n') ? stdout().trim() : null
  }, 120_000)
  return { server, url }
}

/**
 * Another transaction adds the patient of a row, and ends only after `meanwhile`. The batch of that row waits in its
 * middle.
 */
async function blockedAt(external_id: string, meanwhile: () => Promise<void>): Promise<void> {
  const rollback = new Error('rolled back')
  const other = instance.sql.begin(async (tx) => {
    await tx`
      with added as (insert into clinical_patient (clinic_id, first_name, last_name, locale, search)
                     values (${instance.clinic.id}, 'Other', 'Person', 'es', 'other person') returning id)
      insert into clinical_patient_external_id (clinic_id, system, external_id, patient_id)
      select ${instance.clinic.id}, 'import', ${external_id}, id from added`
    await meanwhile()
    throw rollback
  })
  await expect(other).rejects.toBe(rollback)
}

const isWaiting = async () => (await instance.sql`
  select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%clinical_patient_external_id%'`).length > 0
const patientsOf = (clinic: { id: string }) => instance.sql`
  select named.external_id, first_name, last_name, email, version from clinical_patient p
  left join clinical_patient_external_id named on named.patient_id = p.id where p.clinic_id = ${clinic.id} order by 1, 2, 3`

test(
  'a run whose process is killed three times in the middle of a batch has the same result as an undisturbed one',
  { timeout: 400_000 },
  async () => {
    const rows = Array.from({ length: 3300 }, (_, at) => `K${at},Name ${at},Family,k${at}@x.example`)
    rows[40] = 'K40,,Nameless,'
    rows[2900] = 'K7,Seven,Again,' // the row that it repeats was written before the first kill
    const file = ['external_id,first_name,last_name,email', ...rows].join('\n')
    const calm = await instance.anotherClinic()
    const expected = await importFile(await instance.as('receptionist', calm), IMPORTS, file)
    expect(expected.counts).toEqual({ new: 3298, changed: 0, same: 0, wrong: 2 })

    const staff = await instance.as('receptionist')
    const { id } = await anUpload(staff, IMPORTS, file)
    const bearer = await createPeople(() => instance.runtime.host, instance.url).session('receptionist', instance.clinic)
    const { database_url, secret } = instance.runtime.host.config
    const env = {
      DATABASE_URL: database_url!, SVC_SECRET: secret!, SVC_STORAGE: instance.storage, SVC_BASE_URL: instance.url, LOG_LEVEL: 'silent'
    }
    const written: number[] = []
    await instance.restart(async () => {
      for (const row of [700, 1700, 2700]) {
        await blockedAt(`K${row}`, async () => {
          const { server, url } = await serve(env)
          const exit = once(server, 'exit')
          try {
            if (row === 700) expect((await createCaller(url, { bearer }).post(`${IMPORTS}/${id}/run`)).status).toBe(202)
            await until(isWaiting, 120_000)
          } finally {
            server.kill('SIGKILL')
            await exit
          }
        })
        written.push((await instance.sql`select done from core_import where id = ${id}`)[0]!.done)
      }
    })
    expect(written).toEqual([500, 1500, 2500])
    const { state, counts, errors, progress } = await endOf(staff, IMPORTS, id, 120)
    expect({ state, counts, errors, progress }).toEqual({
      state: 'done', counts: expected.counts, errors: expected.errors, progress: { done: 3300, total: 3300 }
    })
    expect([...await patientsOf(instance.clinic)]).toEqual([...await patientsOf(calm)])
  }
)

test('a run that fails repeatedly is marked as failed, and does not block the clinic\'s next one', async () => {
  const clinic = await instance.anotherClinic()
  const staff = await instance.as('receptionist', clinic)
  const file = 'first_name,last_name\nUma,Roth'
  const { id } = await anUpload(staff, IMPORTS, file)
  await instance.sql`update core_import_chunk set sealed = 'damaged' where import_id = ${id}`
  expect((await staff.post(`${IMPORTS}/${id}/run`)).status).toBe(202)
  const failed = await until(async () => {
    const { data } = (await staff.get(`${IMPORTS}/${id}`)).body
    return data.state !== 'running' && data
  })
  expect(failed).toMatchObject({ state: 'failed', reason: 'internal_error', counts: { new: 0 } })
  expect(await instance.sql`select 1 from core_import_chunk where import_id = ${id}`).toHaveLength(0)
  expect((await importFile(staff, IMPORTS, file)).counts).toEqual({ new: 1, changed: 0, same: 0, wrong: 0 })
})
