import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { colours, everything, settled, findOverflow, violations } from '../../support/browser/accessibility.ts'
import { aVisit, DESK, theBrowser, type Visit, type VisitOptions } from '../../support/browser/browser.ts'
import {
  aSentBudget,
  aVerifiedPatient,
  ACCEPTANCE,
  eventually,
  BUDGETS,
  type SentBudget
} from '../../support/builders.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { copiesIn, withCopies, writeFiles, type EvidenceFiles } from '../../support/documents/evidence.ts'
import { aStaffVisit, heard, press, visitPage } from '../../support/browser/staff-page.ts'

let instance: Built
let browser: Browser
let budget: SentBudget
let base: string
let folder: string
let zip: string
let files: EvidenceFiles

const NAMES = [
  'README.txt',
  'SHA256SUMS',
  'access-log.json',
  'certificate.pem',
  'check.html',
  'content.json',
  'hashes.json',
  'hashes.sig',
  'signature.json',
  'signature.png',
  'signed.pdf'
]

beforeAll(async () => {
  [instance, browser] = [await aBuiltInstance(), await theBrowser()]
  budget = await aSentBudget(instance)
  const patient = await aVerifiedPatient(instance, budget)
  const image = `data:image/png;base64,${readFileSync(join(import.meta.dirname, '../../../server/core/demo/demo-logo.png')).toString('base64')}`
  await patient.post(`${budget.base}/accept`, { ...ACCEPTANCE, signature: { method: 'drawn', image } })
  const staff = await instance.as('assistant')
  const bytes = await eventually(async () => {
    const answer = await staff.get(`${BUDGETS}/${budget.id}/evidence`)
    return answer.status === 200 && answer.bytes
  }, 'the evidence')
  base = mkdtempSync(join(tmpdir(), 'svc-evidence-'))
  zip = join(base, `${budget.number}-evidence.zip`)
  folder = join(base, 'unpacked')
  writeFileSync(zip, bytes)
  execFileSync('unzip', ['-q', zip, '-d', folder])
  files = Object.fromEntries(readdirSync(folder).map(name => [name, readFileSync(join(folder, name))]))
})
afterAll(async () => {
  await instance?.close()
  if (base) rmSync(base, { recursive: true, force: true })
})

/** Opens the page from the disk, without a network. */
async function openPage(path = join(folder, 'check.html'), options: VisitOptions = {}): Promise<Visit> {
  const visit = await aVisit(browser, { viewport: DESK, locale: 'en', ...options })
  await visit.context.setOffline(true)
  await visit.page.goto(pathToFileURL(path).href)
  return visit
}

const verdict = (page: Page, id: 'copies' | 'beside', state: 'right' | 'wrong' | 'open') =>
  page.locator(`#${id}-verdict[data-state=${state}] [role=status]`)
const textOf = async (page: Page, id: 'copies' | 'beside', state: 'right' | 'wrong' | 'open') =>
  (await verdict(page, id, state).innerText()).replace(/[\u2068\u2069]/g, '').replace(/\s+/g, ' ').trim()
const given = (all: Record<string, Buffer>) =>
  Object.entries(all).map(([name, buffer]) => ({ name, mimeType: 'application/octet-stream', buffer }))
const choose = (page: Page, all: Record<string, Buffer>) => page.locator('#choose-files').setInputFiles(given(all))

/** Changes one bit in the middle. */
function flipped(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes)
  changed[changed.length >> 1]! ^= 1
  return changed
}

describe('the page in the evidence, from the disk and without a network,', () => {
  test('is green when it opens, explains what was checked and what was not, and shows what was accepted', async () => {
    const { page, requests, complaints } = await openPage()
    expect(await textOf(page, 'copies', 'right')).toBe(
      'Intact Green: all copies in this page are exactly what the service signed.'
    )
    expect(await textOf(page, 'beside', 'open')).toMatch(
      /^Not checked yet A page that you open from a disk can’t read the files beside it/
    )
    await page.getByRole('heading', { level: 1, name: budget.number }).waitFor()
    expect(await page.locator('#facts-list').innerText()).toMatch(/Clínica Peñalver[\s\S]*Lucía Muñoz[\s\S]*121\.00/)
    expect(await page.locator('#checks-list li').count()).toBe(7)
    expect(await page.locator('#checks-list .state[data-state=right]').count()).toBe(7)
    expect(await page.locator('#fingerprint').innerText()).toBe(
      JSON.parse(files['hashes.json']!.toString()).certificate.sha256
    )
    expect(await page.locator('#verify').getAttribute('href')).toMatch(/\/verify$/)
    expect(requests.filter(({ url }) => !url.startsWith('file:'))).toEqual([])
    // The page tried it, and the browser forbids it.
    expect(complaints.filter(text => !/XMLHttpRequest at 'file:/.test(text))).toEqual([])
  })

  test('finds the whole ZIP, its folder and its single files unchanged', async () => {
    const { page } = await openPage()
    for (const give of [
      () => page.locator('#choose-files').setInputFiles(zip),
      () => page.locator('#choose-folder').setInputFiles(folder),
      () => choose(page, files)
    ]) {
      await give()
      expect(await textOf(page, 'beside', 'right')).toBe(
        'Intact Green: every file is, byte for byte, the one that the service signed, and none is missing or added.'
      )
      await choose(page, { 'note.txt': Buffer.from('x') })
      await verdict(page, 'beside', 'wrong').waitFor()
    }
  })

  test('turns red when one byte of any file was changed, and names the file', async () => {
    const { page } = await openPage()
    expect(Object.keys(files).sort()).toEqual(NAMES)
    for (const name of NAMES) {
      await choose(page, { ...files, [name]: flipped(files[name]!) })
      expect(await textOf(page, 'beside', 'wrong')).toBe(
        `Not intact Red: these files are not the evidence that the service signed. Changed: ${name}.`
      )
      expect(await page.locator('#files-list tr', { hasText: name }).locator('td').last().innerText()).toBe('Changed')
      await choose(page, files)
      await verdict(page, 'beside', 'right').waitFor()
    }
  })

  test('turns red for a missing, an additional and an exchanged file', async () => {
    const { page } = await openPage()
    const { 'signed.pdf': pdf, ...rest } = files
    await choose(page, rest)
    expect(await textOf(page, 'beside', 'wrong')).toMatch(/Missing: signed\.pdf\.$/)
    await choose(page, { ...files, 'extra</script><img src=x>.txt': pdf! })
    expect(await textOf(page, 'beside', 'wrong')).toMatch(
      /Additional, not part of the evidence: extra<\/script><img src=x>\.txt\.$/
    )
    await choose(page, { ...rest, 'signed.pdf': files['content.json']! })
    expect(await textOf(page, 'beside', 'wrong')).toMatch(/Changed: signed\.pdf\.$/)
    await choose(page, { 'broken.zip': files['signed.pdf']!.subarray(0, 0), 'signed.pdf': pdf! })
    expect(await textOf(page, 'beside', 'wrong')).toMatch(
      /Missing: content\.json, .+ Additional, not part of the evidence: broken\.zip\.$/
    )
    await choose(page, { 'cut.zip': readFileSync(zip).subarray(0, 5000) })
    expect(await textOf(page, 'beside', 'wrong')).toMatch(/cut\.zip could not be read/)
  })

  test('compares files chosen before the copies are checked, and shows the result of the last choice', async () => {
    const { page, context } = await aVisit(browser, { viewport: DESK, locale: 'en' })
    await context.setOffline(true)
    await page.addInitScript(() => {
      const held = new Promise(resolve => Object.assign(window, { release: resolve }))
      const digest = crypto.subtle.digest.bind(crypto.subtle)
      crypto.subtle.digest = async (...asked) => {
        await held
        return await digest(...asked)
      }
    })
    await page.goto(pathToFileURL(join(folder, 'check.html')).href)
    const { 'signed.pdf': pdf, ...rest } = files
    await choose(page, rest)
    await choose(page, files)
    await page.evaluate(() => (window as unknown as { release: () => void }).release())
    expect(await textOf(page, 'beside', 'right')).toBe(
      'Intact Green: every file is, byte for byte, the one that the service signed, and none is missing or added.'
    )
    await choose(page, { ...rest, 'signed.pdf': flipped(pdf!) })
    expect(await textOf(page, 'beside', 'wrong')).toMatch(/Changed: signed\.pdf\.$/)
  })

  test('treats a dropped ZIP like a chosen one', async () => {
    const { page } = await openPage()
    const data = await page.evaluateHandle((base64) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))], 'evidence.zip'))
      return transfer
    }, readFileSync(zip).toString('base64'))
    await page.locator('h1').dispatchEvent('drop', { dataTransfer: data })
    await verdict(page, 'beside', 'right').waitFor()
  })

  test('is red at once when one of its copies was changed, and names the file', async () => {
    const copies = copiesIn(files['check.html']!)
    for (const [name, bytes] of copies) {
      const changed = join(base, 'changed.html')
      writeFileSync(changed, withCopies(files['check.html']!, new Map([...copies, [name, flipped(bytes)]])))
      const { page, leave } = await openPage(changed)
      expect(await textOf(page, 'copies', 'wrong'), name).toMatch(
        new RegExp(
          `^Not intact Red: the copies in this page are not what the service signed\\. Affected: .*${name.replace('.', '\\.')}`
        )
      )
      expect(await page.locator('#facts-section').isHidden()).toBe(true)
      await choose(page, files)
      expect(await textOf(page, 'beside', 'wrong')).toContain(name)
      await leave()
    }
  })

  test('shows no result when its script was changed, because its policy prevents the script from running', async () => {
    const changed = join(base, 'script.html')
    writeFileSync(changed, files['check.html']!.toString().replace('void start()', 'void start( )'))
    const { page } = await openPage(changed)
    await page.locator('#copies-verdict[data-state=open]').waitFor()
    expect(await page.locator('#copies-verdict [role=status]').innerText()).toBe('')
  })
})

describe('the page in the evidence, served beside its files,', () => {
  /** Any static server. `changed` has the bytes that it sends instead of the true ones, or null for a missing file. */
  async function served(changed: Record<string, Buffer | null>, run: (page: Page) => Promise<void>): Promise<void> {
    const server = createServer((request, response) => {
      const name = basename(new URL(request.url!, 'http://localhost').pathname)
      const body = name in changed ? changed[name] : files[name]
      response
        .writeHead(body ? 200 : 404, {
          'Content-Type': name.endsWith('.html') ? 'text/html' : 'application/octet-stream'
        })
        .end(body ?? undefined)
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { page, leave } = await aVisit(browser, { viewport: DESK, locale: 'en' })
    try {
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/evidence/check.html`)
      await run(page)
    } finally {
      await leave()
      server.closeAllConnections()
      server.close()
    }
  }

  test('checks them without a click, and explains that it cannot see additional files', async () => {
    await served({}, async page =>
      expect(await textOf(page, 'beside', 'right')).toMatch(
        /^Intact Green: every file beside this page .+ Additional files can’t be seen this way\.$/
      )
    )
  })

  test.each(NAMES.filter(name => name !== 'check.html'))('finds a changed %s without a click', async (name) => {
    await served({ [name]: flipped(files[name]!) }, async page =>
      expect(await textOf(page, 'beside', 'wrong')).toMatch(new RegExp(`Changed: ${name.replace('.', '\\.')}\\.$`))
    )
  })

  test('finds a missing file', async () => {
    await served({ 'signature.json': null }, async page =>
      expect(await textOf(page, 'beside', 'wrong')).toMatch(/Missing: signature\.json\.$/)
    )
  })

  test('reports unchecked files when it is served alone', async () => {
    await served(
      Object.fromEntries(NAMES.filter(name => name !== 'check.html').map(name => [name, null])),
      async (page) => {
        await verdict(page, 'copies', 'right').waitFor()
        await verdict(page, 'beside', 'open').waitFor()
      }
    )
  })
})

describe('the page in the evidence is accessible', () => {
  test.each(['en', 'ar'])(
    'in %s: without axe findings, green and red, light and dark, wide and at 320 px',
    async (locale) => {
      const { page } = await openPage(undefined, { locale, colorScheme: 'light' })
      await verdict(page, 'copies', 'right').waitFor()
      expect(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir])).toEqual([
        locale,
        locale === 'ar' ? 'rtl' : 'ltr'
      ])
      for (const changed of [{}, { 'signed.pdf': flipped(files['signed.pdf']!) }] as Record<string, Buffer>[]) {
        await choose(page, { ...files, ...changed })
        await verdict(page, 'beside', 'signed.pdf' in changed ? 'wrong' : 'right').waitFor()
        for (const colorScheme of ['light', 'dark'] as const) {
          for (const width of [DESK.width, 320]) {
            await page.emulateMedia({ colorScheme })
            await page.setViewportSize({ width, height: 800 })
            await settled(page)
            expect(
              await violations(colorScheme === 'light' ? everything(page) : colours(page)),
              `${colorScheme} ${width}`
            ).toEqual([])
            expect(await findOverflow(page), `${colorScheme} ${width}`).toEqual([])
          }
        }
      }
    }
  )

  test('by keyboard: the language and both file choices can be reached, with a visible focus', async () => {
    const { page } = await openPage()
    await verdict(page, 'copies', 'right').waitFor()
    const reached: string[] = []
    for (let presses = 0; presses < 4; presses++) {
      await page.keyboard.press('Tab')
      reached.push(await page.evaluate(() => document.activeElement!.id))
    }
    expect(reached).toEqual(['language', 'choose-files', 'choose-folder', 'verify'])
    await page.locator('#choose-files').focus()
    expect(
      await page
        .locator('label.button')
        .first()
        .evaluate(label => getComputedStyle(label).outlineStyle)
    ).toBe('solid')
    await page.locator('#language').selectOption('de')
    await page.getByRole('heading', { name: 'Ergebnis' }).waitFor()
    expect(await textOf(page, 'copies', 'right')).toMatch(/^Unversehrt Grün: /)
  })
})

describe('the evidence on the clinic\'s screen', () => {
  test('is downloaded on the budget\'s page, and the timeline lists the download', async () => {
    const { page } = await aStaffVisit(browser, instance, { role: 'assistant', acceptDownloads: true })
    await visitPage(page, `${instance.url}/budgets/${budget.id}`)
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Evidence (ZIP)')])
    expect(download.suggestedFilename()).toBe(`${budget.number}-evidence.zip`)
    writeFiles(base, { 'downloaded.zip': readFileSync(await download.path()) })
    expect(execFileSync('unzip', ['-t', join(base, 'downloaded.zip')], { encoding: 'utf8' })).toContain(
      'No errors detected'
    )
    await heard(page, 'Evidence downloaded')
  })

  test('shows the reason of a failure and a way to try again', async () => {
    const { page } = await aStaffVisit(browser, instance, { role: 'assistant' })
    await visitPage(page, `${instance.url}/budgets/${budget.id}`)
    await page.route('**/evidence', route => route.abort())
    await press(page, 'Evidence (ZIP)')
    const again = page.getByRole('alert').getByRole('button', { name: 'Try again' }).first()
    await again.waitFor()
    await page.unroute('**/evidence')
    const [download] = await Promise.all([page.waitForEvent('download'), again.click()])
    expect(download.suggestedFilename()).toContain(budget.number)
  })
})
