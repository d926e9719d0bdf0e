import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createToken } from '../../../server/core/people/tokens/create-token.ts'
import { readConfig } from '../../../server/core/config.ts'
import { openDatabase, type Database } from '../../../server/core/db/client.ts'
import { createSecrets } from '../../../server/core/secrets.ts'
import { SECRET } from '../../support/browser/built-server.ts'
import { aSentBudget, aVerifiedPatient } from '../../support/builders.ts'
import { createCaller } from '../../support/caller.ts'
import { aFolder, cleanEnv, textOf } from '../../support/cli.ts'
import { root } from '../../support/modules/official.ts'
import { aProxy } from '../../support/outside/proxy.ts'
import { createPeople } from '../../support/people.ts'

/** The built server under `svc start`, with its own storage and database. */
const folder = aFolder()
let url: string
let database: Database
let supervisor: ChildProcess
let stderr: () => string

beforeAll(async () => {
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  const env = { SVC_STORAGE: folder.path, SVC_BASE_URL: url, SVC_SECRET: SECRET, PORT: String(port), LOG_LEVEL: 'info' }
  database = await openDatabase(readConfig(env, root), { max: 4, name: 'test' })
  supervisor = spawn(join(root, 'bin/svc'), ['start'], { env: cleanEnv(env), stdio: ['ignore', 'pipe', 'pipe'] })
  stderr = textOf(supervisor.stderr!)
  await until(() => fetch(`${url}/readyz`).then(response => response.ok, () => false))
}, 120_000)

afterAll(async () => {
  if (supervisor.exitCode === null) {
    supervisor.kill('SIGTERM')
    await once(supervisor, 'exit')
  }
  await database.close()
  folder.remove()
})

async function until(ask: () => Promise<boolean>): Promise<void> {
  const limit = performance.now() + 60_000
  while (!await ask()) {
    if (performance.now() > limit) throw new Error(`it did not happen within 60 s:\n${stderr()}`)
    await new Promise(resolve => setTimeout(resolve, 25))
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  return port
}

/** Reads with a connection of its own. If a proxy answers with an error, the result includes the reason. */
function read(address: string, path: string, cookie: string): Promise<number | string> {
  return new Promise((resolve, reject) => {
    request(`${address}${path}`, { agent: false, headers: { cookie } }, (response) => {
      const text = textOf(response)
      response.on('end', () => resolve(response.statusCode === 502 ? text() : response.statusCode!)).on('error', reject)
    }).on('error', reject).end()
  })
}

/** Three restarts with readers all the time: the kinds of responses they got, and the processes that were replaced. */
async function restartThrice(address: string) {
  const { db, sql } = database
  const config = readConfig({ SVC_SECRET: SECRET, SVC_STORAGE: folder.path }, root)
  const people = createPeople(() => ({ db, secrets: createSecrets(config) }), url)
  const clinic = await people.clinic('Clínica Peñalver')
  const instance = {
    sql,
    clinic,
    as: (role: Parameters<typeof people.member>[0], at = clinic) => people.member(role, at),
    anonymous: () => createCaller(url)
  }
  const admin = createCaller(url, {
    bearer: (await createToken({ db, secrets: createSecrets(config) }, { scope: 'admin' })).token
  })
  const budget = await aSentBudget(instance)
  const patient = await aVerifiedPatient(instance, budget)
  const cookie = [...patient.cookies].map(([name, { value }]) => `${name.split('@')[0]}=${value}`).join('; ')

  let going = true
  const answers = new Map<number | string, number>()
  const count = (what: number | string) => answers.set(what, (answers.get(what) ?? 0) + 1)
  const readers = Array.from({ length: 6 }, async () => {
    while (going) await read(address, budget.base, cookie).then(count, (error: Error) => count(error.message))
  })
  const bootIds = new Set<string>()
  for (let restarts = 0; restarts < 3; restarts++) {
    const { status, body } = await admin.post('/api/v1/modules/-/restart')
    expect(status).toBe(202)
    bootIds.add(body.data.boot_id)
    const isBack = async () => {
      const ready = await sql<
        { name: string }[]
      >`select application_name as name from pg_stat_activity where application_name like 'svc:ready:%'`
      return (
        ready.length === 1
        && !ready[0]!.name.endsWith(body.data.boot_id)
        && (await fetch(`${url}/readyz`).then(
          response => response.ok,
          () => false
        ))
      )
    }
    await until(isBack)
  }
  going = false
  await Promise.all(readers)
  return { answers: [...answers.keys()], boots: bootIds.size }
}

it('a restart through the API fails no request of patients who read at the same time', async () => {
  expect(await restartThrice(url)).toEqual({ answers: [200], boots: 3 })
})

it('a restart fails no request through a proxy that keeps its connections, and hardly causes retries', async () => {
  const proxy = await aProxy([url])
  expect(await restartThrice(proxy.url)).toEqual({ answers: [200], boots: 3 })
  expect(proxy.repeated()).toBeLessThanOrEqual(2 * 3)
  await proxy.close()
})
