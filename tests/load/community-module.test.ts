import { execFileSync, type ChildProcess } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ensureBuilt } from '../../cli/build/server.ts'
import { readConfig } from '../../server/core/config.ts'
import { openDatabase, type Database } from '../../server/core/db/client.ts'
import { startEmbedded } from '@svc/embedded-postgres'
import { createSecrets } from '../../server/core/secrets.ts'
import { aBrowser, aVisit, DESK } from '../support/browser/browser.ts'
import { ACCEPTANCE, aSentBudget, aVerifiedPatient, eventually } from '../support/builders.ts'
import { SECRET, startBuilt, stop } from '../support/browser/built-server.ts'
import { createCaller } from '../support/caller.ts'
import { cleanEnv, svc } from '../support/cli.ts'
import { root } from '../support/modules/official.ts'
import { PACKAGES } from '../support/modules/packages.ts'
import { createPeople } from '../support/people.ts'
import { aProduct } from '../support/browser/product.ts'

// A package in a built, running instance, installed as an operator does it: npm, svc, a restart, then svc, a build, a
// restart.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const RECALLS = '/api/v1/recall/recalls'
const storage = mkdtempSync(join(tmpdir(), 'svc-community-'))
const product = aProduct()
let embedded: Awaited<ReturnType<typeof startEmbedded>>
let database: Database
let env: Record<string, string>
let server: ChildProcess
let url: string

beforeAll(async () => {
  embedded = await startEmbedded({ storage, root })
  env = { DATABASE_URL: embedded.url(), SVC_STORAGE: storage, SVC_SECRET: SECRET, SVC_ROOT: product.root }
  database = await openDatabase(readConfig(env, root), { max: 2, name: 'test' })
  await run(root)
})
afterAll(async () => {
  if (server) await stop(server)
  await database?.close()
  await embedded?.release()
  product.remove()
  rmSync(storage, { recursive: true, force: true })
})

/** Starts the server that was built in `folder` again. */
async function run(folder: string): Promise<void> {
  if (server) await stop(server)
  ;({ server, url } = await startBuilt(env, folder))
}

async function command(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await svc(words, { env })
  if (code !== 0) throw new Error(`svc ${words.join(' ')} ended with ${code}: ${stderr}`)
  return stdout
}

/** The files that `npm install <tarball>` writes, without the network. */
function installPackage(...folders: string[]): void {
  const npm = (words: string[], cwd: string) =>
    execFileSync('npm', [...words, '--silent', '--offline', '--no-audit', '--no-fund'], {
      cwd,
      env: cleanEnv({}),
      encoding: 'utf8'
    }).trim()
  mkdirSync(join(storage, 'modules'), { recursive: true })
  for (const folder of folders) {
    const tarball = npm(['pack', '--pack-destination', storage], folder).split('\n').at(-1)!
    npm(['install', '--prefix', join(storage, 'modules'), join(storage, tarball)], storage)
  }
}

const people = () => createPeople(() => ({ db: database.db, secrets: createSecrets(readConfig(env, root)) }), url)

/** A clinic for this test and its members, on the server that runs now. */
async function aClinic() {
  const at = people()
  const clinic = await at.clinic('Clínica Peñalver')
  return {
    clinic,
    sql: database.connect({ max: 1, name: 'test' }),
    as: (role: 'admin') => at.member(role, clinic),
    session: () => at.session('admin', clinic),
    anonymous: () => createCaller(url)
  }
}

describe('a package in a built instance', () => {
  test('works after install and restart without a build, and has its pages and texts after the build', async () => {
    installPackage(join(PACKAGES, 'svc-module-recall'))
    expect(await command('modules', 'install', 'recall')).toContain('  - recall')
    await run(root)

    const instance = await aClinic()
    const staff = await instance.as('admin')
    expect((await staff.get(RECALLS)).body).toMatchObject({ data: [], total: 0 })
    const budget = await aSentBudget(instance)
    const patient = await aVerifiedPatient(instance, budget)
    expect((await patient.post(`${budget.base}/accept`, ACCEPTANCE)).status).toBe(200)
    const recall = await eventually(async () => (await staff.get(RECALLS)).body.data[0], 'the recall')
    expect(recall).toMatchObject({ budget_id: budget.id, reason: 'checkup', patient: { first_name: 'Lucía' } })
    expect(await instance.sql`select what from recall_history`).toEqual([{ what: 'install' }])
    expect((await instance.anonymous().get('/recall')).status).toBe(404)

    expect(await command('modules', 'sync-frontend')).toContain('recall')
    const listed = JSON.parse(readFileSync(join(product.root, 'modules.json'), 'utf8')).modules
    expect(listed).toContainEqual({
      name: 'recall',
      path: join(storage, 'modules/node_modules/svc-module-recall/layer')
    })
    expect(await ensureBuilt(product.root, () => {})).toEqual({ built: true })
    await run(product.root)

    const page = await instance.anonymous().get('/recall')
    expect(page.status).toBe(200)
    // The URL of the texts that the page loads. The part before the language separates caches.
    expect((await instance.anonymous().get('/_i18n/any/es/messages.json')).bytes.toString()).toContain('Pacientes por avisar')
    const again = await aClinic()
    const active = (await (await again.as('admin')).get('/api/v1/modules/-/active')).body.data
    expect(active.find((module: { name: string }) => module.name === 'recall').navigation).toMatchObject([
      { label: 'recall.navigation.recalls', to: '/recall' }
    ])
    expect((await (await again.as('admin')).get(RECALLS)).status).toBe(200)
    expect(await headingOf('/recall', await again.session())).toBe('Patients to call back')

    installPackage(theNextVersion())
    expect(await command('modules', 'upgrade', 'recall')).toContain('  - recall')
    await run(product.root)
    expect(
      await instance.sql`select version, applied_revision, error_message from core_module where name = 'recall'`
    ).toEqual([{ version: '1.1.0', applied_revision: '0001_note', error_message: null }])
    expect(await instance.sql`select what, from_version from recall_history order by id`).toEqual([
      { what: 'install', from_version: null },
      { what: 'post_upgrade', from_version: '1.0.0' }
    ])
  })

  test('that throws at import, at start, in a route or after the response affects no other module', async () => {
    const names = ['import', 'start', 'route']
    installPackage(...names.map(name => join(PACKAGES, `svc-module-broken-${name}`)))
    for (const name of names) await command('modules', 'install', `broken_${name}`)
    await run(root)

    const { as, anonymous } = await aClinic()
    const staff = await as('admin')
    for (const name of ['import', 'start'])
      expect((await anonymous().get(`/api/v1/broken_${name}/things`)).body).toMatchObject({
        status: 503,
        code: 'module_errored'
      })
    for (const name of ['throws', 'leaves', 'rejects', 'circle'])
      expect((await anonymous().get(`/api/v1/broken_route/${name}`)).body).toMatchObject({
        status: 500,
        code: 'internal_error'
      })
    for (const name of ['later', 'detached', 'fine'])
      expect((await anonymous().get(`/api/v1/broken_route/${name}`)).status).toBe(200)
    expect((await staff.get('/api/v1/budget/budgets')).status).toBe(200)
    expect(server.exitCode).toBeNull()

    const { code, stdout } = await svc(['modules', 'doctor', '--json'], { env })
    expect([code, JSON.parse(stdout).errored_modules.map((finding: { module: string }) => finding.module)]).toEqual([
      1,
      ['broken_import', 'broken_start']
    ])
  })
})

/** Version 1.0.0, overwritten with the files of 1.1.0. */
function theNextVersion(): string {
  const folder = join(storage, 'svc-module-recall')
  for (const name of ['svc-module-recall', 'svc-module-recall-1.1.0'])
    cpSync(join(PACKAGES, name), folder, { recursive: true })
  return folder
}

/** The heading of a page of the clinic in a real browser. */
async function headingOf(path: string, session: string): Promise<string> {
  const browser = await aBrowser()
  try {
    const { page, context } = await aVisit(browser, { viewport: DESK })
    await context.addCookies([{ name: 'svc_session', value: session, url }])
    await page.goto(url + path)
    await page.locator('#content:not([aria-busy])').waitFor()
    return (await page.getByRole('heading', { level: 1 }).innerText()).trim()
  } finally {
    await browser.close()
  }
}
