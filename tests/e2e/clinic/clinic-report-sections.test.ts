import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { theBrowser } from '../../support/browser/browser.ts'
import { SECRET, stop } from '../../support/browser/built-server.ts'
import { anOwnServer, type OwnServer } from '../../support/browser/own-server.ts'
import { aStaffVisit, expectForEverybody, visitPage } from '../../support/browser/staff-page.ts'
import { svc } from '../../support/cli.ts'
import { writeModule } from '../../support/modules/modules.ts'
import { root } from '../../support/modules/official.ts'

/** Packages without a layer: their sections need no build. */
const DEPOSITS = {
  depends: ['reports'],
  code: `export default {
    staff_sections: {
      'reports.clinic': (ctx, { from, to, locale, currency }) => [{
        id: 'deposits',
        title: 'Deposits (' + locale + ')',
        text: 'From ' + from + ' to ' + to + '.\\nIn ' + currency + ', without <b>returns</b>.',
        facts: [['Received', '1,250.00 €'], ['Reference', 'ES9121000418450200051332'.repeat(2)]],
        table: {
          columns: ['Budget', 'Day', { label: 'Amount', end: true }],
          rows: Array.from({ length: 52 }, (_, n) => ['PRE-2026-' + (n + 1), n === 1 ? '' : 'Monday', n + '.00 €'])
        }
      }]
    }
  }`
}
const BROKEN = {
  depends: ['reports'],
  code: `export default { staff_sections: { 'reports.clinic': () => { throw new Error('no such table') } } }`
}

let own: OwnServer
let browser: Browser
beforeAll(async () => {
  own = await anOwnServer()
  browser = await theBrowser()
  const { storage } = own.built
  writeModule(join(storage, 'modules/node_modules/svc-module-deposits'), 'deposits', DEPOSITS)
  writeModule(join(storage, 'modules/node_modules/svc-module-broken'), 'broken', BROKEN)
  const env = { SVC_ROOT: root, DATABASE_URL: own.databaseUrl, SVC_STORAGE: storage, SVC_SECRET: SECRET }
  for (const name of ['deposits', 'broken']) {
    const { code, stderr } = await svc(['modules', 'install', name], { env })
    if (code !== 0) throw new Error(stderr)
  }
  await stop(own.process)
  await own.startAgain()
})
afterAll(() => own?.close())

test('the reports have the section of a module below their own figures, for the selected period', async () => {
  const { page } = await aStaffVisit(browser, own.built, { role: 'dentist' })
  await visitPage(page, `${own.built.url}/reports?from=2026-01-01&to=2026-03-31`)
  const section = page.getByRole('heading', { name: 'Deposits (en)' })
  await section.waitFor()
  const top = async (name: string) => (await page.getByRole('heading', { name }).boundingBox())!.y
  expect(await top('Outcome of budgets')).toBeLessThan(await top('Deposits (en)'))
  await page.getByText('From 2026-01-01 to 2026-03-31.').waitFor()
  expect(await page.getByText('without <b>returns</b>').count()).toBe(1)
  await page.getByText('1,250.00 €').waitFor()

  const rows = page.getByRole('table', { name: 'Deposits (en)' }).getByRole('row')
  expect(await rows.count()).toBe(51)
  expect(await rows.nth(0).getByRole('columnheader').allInnerTexts()).toEqual(['Budget', 'Day', 'Amount'])
  expect(await rows.nth(2).getByRole('cell').allInnerTexts()).toEqual(['PRE-2026-2', '–', '1.00 €'])
  await page.getByText('2 more rows aren’t shown.').waitFor()

  await page.getByLabel('From', { exact: true }).fill('2026-02-01')
  await page.getByText('From 2026-02-01 to 2026-03-31.').waitFor()
})

test('a failing module is named, and its section can be loaded again', async () => {
  const { page } = await aStaffVisit(browser, own.built, { role: 'admin' })
  await visitPage(page, `${own.built.url}/reports`)
  const notice = page.getByRole('status').filter({ hasText: 'Parts of this report are missing' })
  await notice.getByText('Missing or incomplete: broken.').waitFor()
  const [answer] = await Promise.all([
    page.waitForResponse(response => response.url().includes('/reports/sections')),
    notice.getByRole('button', { name: 'Try again' }).click()
  ])
  expect((await answer.json()).data.left_out).toEqual(['broken'])
})

test('the reports with sections pass axe and do not scroll sideways', async () => {
  await expectForEverybody(browser, own.built, '/reports', {
    role: 'admin',
    ready: page => page.getByRole('heading', { name: /^Deposits \(/ }).waitFor()
  })
})
