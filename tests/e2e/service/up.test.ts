import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aFolder, cleanEnv, freePort, svc, textOf, until, type Env } from '../../support/cli.ts'
import { root } from '../../support/modules/official.ts'

interface Printed {
  url: string
  demo: { login: { url: string, email: string, password: string }, patient: { link: string, code: string } }
}

const folder = aFolder()
let env: Env
let printed: Printed
let up: ChildProcess
let said: () => string

beforeAll(async () => {
  env = { SVC_STORAGE: folder.path, PORT: String(await freePort()) }
  up = spawn(join(root, 'bin/svc'), ['up', '--demo', '--json'], {
    env: cleanEnv(env),
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const stdout = textOf(up.stdout!)
  const stderr = textOf(up.stderr!)
  said = () => stdout() + stderr()
  printed = await until(async () => {
    if (up.exitCode !== null) throw new Error(stderr())
    return /^\}$/m.test(stdout()) ? JSON.parse(stdout()) as Printed : null
  }, 110_000)
})
afterAll(() => folder.remove())

const post = (path: string, body: object) => fetch(`${printed.url}${path}`, {
  method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body)
})

describe('the command svc up --demo', () => {
  it('starts an instance on the embedded database and prints its address', async () => {
    expect(printed.url).toBe(`http://localhost:${env.PORT}`)
    expect(await (await fetch(`${printed.url}/health`)).json()).toMatchObject({ status: 'healthy' })
    expect(existsSync(join(folder.path, 'postgres/data/postmaster.pid'))).toBe(true)
  })

  it('never logs that the clinic is not set up', () => expect(said()).not.toContain('setup_needed'))

  it('prints working credentials', async () => {
    const { email, password } = printed.demo.login
    expect((await post('/api/v1/auth/login', { email, password })).status).toBe(200)
  })

  it('prints the link and the code of an open budget', async () => {
    const { link, code } = printed.demo.patient
    const token = new URL(link).pathname.split('/').at(-1)
    expect(code).toBe('246810')
    expect(await (await fetch(`${printed.url}/api/v1/public/budgets/${token}/meta`)).json()).toMatchObject({
      data: { state: 'open', locked: false }
    })
    expect((await post(`/api/v1/public/budgets/${token}/verify`, { code })).status).toBe(200)
  })

  it('finds a running instance, prints the same and exits with 0', async () => {
    const again = await svc(['up', '--demo', '--json'], { env })
    expect(again.code).toBe(0)
    expect(JSON.parse(again.stdout)).toEqual(printed)
    expect(again.stderr).toContain('The instance runs already.')
  })

  it('labels each line of its output', async () => {
    const { stdout } = await svc(['up', '--demo'], { env })
    const { login, patient } = printed.demo
    expect(stdout.trimEnd().split('\n')).toEqual([
      `The instance runs on ${printed.url}`,
      '',
      'Clinic',
      `  Link: ${login.url}`,
      `  Email: ${login.email}`,
      `  Password: ${login.password}`,
      '',
      'Patient',
      `  Link: ${patient.link}`,
      `  Code: ${patient.code}`
    ])
  })

  it('is not changed by running demo seed again', async () => {
    const again = await svc(['demo', 'seed', '--json'], { env })
    expect(again).toMatchObject({ code: 0, stdout: `${JSON.stringify({ state: 'done' }, null, 2)}\n` })
    expect(JSON.parse((await svc(['up', '--demo', '--json'], { env })).stdout)).toEqual(printed)
  })

  it('stops server and database on Ctrl-C', async () => {
    up.kill('SIGINT')
    const [code] = await once(up, 'exit')
    expect(code).toBe(130)
    expect(existsSync(join(folder.path, 'postgres/data/postmaster.pid'))).toBe(false)
    expect(existsSync(join(folder.path, 'run/instance.json'))).toBe(false)
  })
})
