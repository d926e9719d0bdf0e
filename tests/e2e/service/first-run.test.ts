import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { startEmbedded } from '@svc/embedded-postgres'
import type { Browser, Page } from 'playwright-core'
import type postgres from 'postgres'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase, type Database } from '../../../server/core/db/client.ts'
import { aFolder, cleanEnv, freePort, svc, textOf, until } from '../../support/cli.ts'
import { aVisit, DESK, PHONE, theBrowser } from '../../support/browser/browser.ts'
import { keyboardFaults } from '../../support/browser/accessibility.ts'
import { SECRET, startBuilt, stop } from '../../support/browser/built-server.ts'
import { root } from '../../support/modules/official.ts'
import { aMailbox, type Mailbox } from '../../support/outside/mailbox.ts'
import { expectAccessible } from '../../support/browser/staff-page.ts'

/** An instance on its first day, with its own database. */
const folder = aFolder()
let embedded: Awaited<ReturnType<typeof startEmbedded>>
let mailbox: Mailbox
let database: Database
let sql: postgres.Sql
let browser: Browser
let server: ChildProcess
let url: string
beforeAll(async () => {
  embedded = await startEmbedded({ storage: folder.path, root, settings: { fsync: 'off' } })
  mailbox = await aMailbox()
  database = await openDatabase({ database_url: embedded.url(), storage: folder.path, root }, { max: 1, name: 'test' })
  sql = database.sql
  browser = await theBrowser()
})
afterAll(async () => {
  await stop(server)
  await database?.close()
  await mailbox?.close()
  await embedded?.release()
  folder.remove()
})

/** A process that has not seen a clinic yet. */
beforeEach(async () => {
  if (server) {
    await stop(server)
    await sql`
      truncate core_clinic, core_user, core_membership, core_session, core_setup, core_rate_limit, catalog_treatment
      cascade`
  }
  const env = { DATABASE_URL: embedded.url(), SVC_STORAGE: folder.path, SVC_SMTP_URL: mailbox.url }
  ;({ url, server } = await startBuilt(env))
})

const aCode = async () => {
  const env = { DATABASE_URL: embedded.url(), SVC_STORAGE: folder.path, SVC_SECRET: SECRET }
  const { stdout, code } = await svc(['setup', 'code'], { env })
  expect(code).toBe(0)
  return stdout.trim()
}
const next = (page: Page, name = 'Next') => page.getByRole('button', { name, exact: true }).click()
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

describe('an instance without a clinic', () => {
  test('redirects every page to the setup, and serves the API, the probes and files as usual', async () => {
    const ask = (path: string) => fetch(url + path, { redirect: 'manual' })
    for (const path of ['/', '/login', '/verify', '/budgets', '/p/budget/some-token', '/b/ABCD-EFGH', '/nothing']) {
      const { status, headers } = await ask(path)
      expect([path, status, headers.get('location')]).toEqual([path, 302, '/setup'])
    }
    expect((await ask('/setup')).status).toBe(200)
    expect((await ask('/readyz')).status).toBe(200)
    expect((await ask('/me')).status).toBe(401)
    expect((await ask('/api/v1/nothing')).status).toBe(404)
  })

  test('stops redirecting when another process creates a clinic, and the setup leads to the start page', async () => {
    await sql`insert into core_clinic (name, currency, time_zone, locale) values ('C', 'EUR', 'UTC', 'en')`
    const { status, headers } = await fetch(`${url}/setup`, { redirect: 'manual' })
    expect([status, headers.get('location')]).toEqual([302, '/'])
    expect((await fetch(`${url}/verify`, { redirect: 'manual' })).status).toBe(200)
  })
})

describe('the setup in a browser', () => {
  test('leads from the code to the home page of a clinic, with the keyboard only', async () => {
    const code = await aCode()
    const { page, complaints } = await aVisit(browser, { viewport: DESK, locale: 'en', timezoneId: 'Europe/Madrid' })
    await page.goto(url)
    await page.waitForURL(`${url}/setup`)
    await heading(page, 'Enter the set-up code')
    await expectAccessible(page)
    expect(await keyboardFaults(page)).toEqual([])

    await page.getByLabel('Set-up code').focus()
    await page.keyboard.type(code.toLowerCase().replaceAll('-', ' '))
    await page.keyboard.press('Enter')
    await heading(page, 'Your clinic')
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
    expect(await page.getByLabel('Country').inputValue()).toBe('Spain')
    expect(await page.getByLabel('Currency').inputValue()).toMatch(/^EUR/)
    expect(await page.getByLabel('Time zone').inputValue()).toBe('Europe/Madrid')
    await expectAccessible(page)
    await page.keyboard.press('Tab')
    await page.keyboard.type('Clínica Sol')
    await page.keyboard.press('Enter')

    await heading(page, 'The first administrator')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Ana Peñalver')
    await page.keyboard.press('Tab')
    await page.keyboard.type('ana@clinic.example')
    await page.keyboard.press('Tab')
    await page.keyboard.type('four unrelated words here')
    await expectAccessible(page)
    await page.keyboard.press('Enter')

    await heading(page, 'Treatments')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Finish setup' }).focus()
    await page.keyboard.press('Enter')

    await heading(page, 'Clínica Sol is ready')
    await page.getByRole('button', { name: 'Send a test email' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Sent to ana@clinic.example. Check that it arrived.').waitFor()
    expect(mailbox.letters.at(-1)).toMatchObject({ to: 'ana@clinic.example', subject: 'Test message' })
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Go to the home page' }).focus()
    await page.keyboard.press('Enter')
    await heading(page, 'Home')
    expect(new URL(page.url()).pathname).toBe('/')
    await page.getByRole('region', { name: 'First steps' }).waitFor()
    expect(complaints).toEqual([])

    await page.goto(`${url}/setup`)
    await heading(page, 'Home')
    const treatments = await sql`select name, active, unit_price::text from catalog_treatment`
    expect(treatments.length).toBeGreaterThanOrEqual(38)
  })

  test('works on a phone in Arabic, shows each error at its field, and keeps typed text', async () => {
    const { page } = await aVisit(browser, { viewport: PHONE, locale: 'ar', timezoneId: 'Africa/Casablanca' })
    await page.goto(url)
    await page.setViewportSize({ width: 320, height: 740 })
    await page.locator('html[lang=ar][dir=rtl]').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: /اللغة|AR/ }).first().click()
    await page.getByRole('menuitemcheckbox', { name: 'English' }).click()
    await heading(page, 'Enter the set-up code')
    await page.getByLabel('Set-up code').fill('0000-0000')
    await next(page)
    await page.getByText('This code is wrong.').waitFor()
    expect(await page.getByLabel('Set-up code').inputValue()).toBe('0000-0000')
    await page.getByLabel('Set-up code').fill(await aCode())
    await next(page)
    await heading(page, 'Your clinic')
    await expectAccessible(page)
    expect(await page.getByLabel('Currency').inputValue()).toMatch(/^MAD/)
    await next(page)
    await page.getByText('Fill this in.').waitFor()
    await page.getByLabel('Clinic name').fill('Cabinet Atlas')
    await next(page)
    await page.getByLabel('Full name').fill('Ana')
    await page.getByLabel('Email address').fill('ana@clinic.example')
    await page.getByLabel('Password').fill('ana@clinic.example')
    await expectAccessible(page)
    await next(page)
    await page.getByLabel('With an empty catalogue').click()
    await next(page, 'Finish setup')
    await heading(page, 'The first administrator')
    await expect.poll(() => page.getByLabel('Password').getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByLabel('Full name').inputValue()).toBe('Ana')
    await page.getByLabel('Password').fill('four unrelated words here')
    await next(page)
    await next(page, 'Finish setup')
    await heading(page, 'Cabinet Atlas is ready')
    await expectAccessible(page)
  })

  test('starts again after a reload, and leaves no incomplete data', async () => {
    const code = await aCode()
    const { page } = await aVisit(browser, { viewport: DESK, locale: 'en' })
    await page.goto(url)
    await page.getByLabel('Set-up code').fill(code)
    await next(page)
    await heading(page, 'Your clinic')
    await page.reload()
    await heading(page, 'Enter the set-up code')
    expect((await sql`select id from core_clinic`).length).toBe(0)
    await page.getByLabel('Set-up code').fill(code)
    await next(page)
    await heading(page, 'Your clinic')
  })
})

describe('the command svc start', () => {
  test('prints a code once, and then the command for a new one', async () => {
    const own = aFolder()
    onTestFinished(() => own.remove())
    const env = cleanEnv({ SVC_STORAGE: own.path, SVC_SECRET: SECRET, PORT: String(await freePort()) })
    const start = async (wanted: RegExp) => {
      const child = spawn(join(root, 'bin/svc'), ['start'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
      const stdout = textOf(child.stdout)
      const [line] = await until(async () => wanted.exec(stdout()), 90_000)
      return { child, line }
    }
    const first = await start(/Code: \S+/)
    const code = first.line.slice('Code: '.length)
    const again = await svc(['up', '--json'], { env })
    const base = `http://localhost:${env.PORT}`
    expect(JSON.parse(again.stdout)).toEqual({ url: base, demo: null, setup: { url: `${base}/setup`, code: null } })
    first.child.kill('SIGTERM')
    await once(first.child, 'exit')

    const second = await start(/svc setup code/)
    const checked = await fetch(`${base}/api/v1/setup/code`, {
      method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ code })
    })
    expect(checked.status).toBe(200)
    second.child.kill('SIGTERM')
    await once(second.child, 'exit')
  })
})
