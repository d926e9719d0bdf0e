import { createHash } from 'node:crypto'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aBrowser, aVisit } from '../support/browser.ts'
import { aSentBudget, aVerifiedPatient, ACCEPTANCE, eventually } from '../support/builders.ts'
import { aBuiltInstance, type Built } from '../support/built.ts'

let it: Built
let browser: Browser
let signed: Buffer
beforeAll(async () => {
  it = await aBuiltInstance()
  browser = await aBrowser()
  const budget = await aSentBudget(it)
  const patient = await aVerifiedPatient(it, budget)
  await patient.post(`${budget.base}/accept`, ACCEPTANCE)
  signed = await eventually(async () => {
    const { status, bytes } = await patient.get(`${budget.base}/pdf/signed`)
    return status === 200 && bytes
  }, 'the signed copy')
})
afterAll(async () => {
  await browser?.close()
  await it?.close()
})

const aFile = (buffer: Buffer) => ({ name: 'PRES-2026-0001.pdf', mimeType: 'application/pdf', buffer })

describe('the check page', () => {
  test('says where and when a signed document was signed, and nothing of the patient', async () => {
    const { page, complaints } = await aVisit(browser)
    await page.goto(`${it.url}/verify?locale=en`)
    await page.locator('input[type=file]').setInputFiles(aFile(signed))
    await page.getByRole('heading', { name: /^Matches a document signed on .+ at Clínica Peñalver\.$/ }).waitFor()
    expect(await page.locator('main').textContent()).not.toMatch(/Lucía|Muñoz/)
    expect(complaints).toEqual([])
  })

  test('one changed byte is no match', async () => {
    const changed = Buffer.from(signed)
    changed[changed.length >> 1]! ^= 1
    const { page } = await aVisit(browser)
    await page.goto(`${it.url}/verify?locale=en`)
    await page.locator('input[type=file]').setInputFiles(aFile(changed))
    await page.getByText('No signed document with this fingerprint is known here.').waitFor()
  })

  test('sends the fingerprint and never the file', async () => {
    const { page } = await aVisit(browser)
    const sent: (string | null)[] = []
    page.on('request', request => request.method() !== 'GET' && sent.push(request.postData()))
    await page.goto(`${it.url}/verify?locale=en`)
    await page.locator('input[type=file]').setInputFiles(aFile(signed))
    await page.getByRole('heading', { name: /^Matches/ }).waitFor()
    expect(sent).toEqual([JSON.stringify({ sha256: createHash('sha256').update(signed).digest('hex') })])
  })

  test('a dropped file counts like a chosen one', async () => {
    const { page } = await aVisit(browser)
    await page.goto(`${it.url}/verify?locale=en`)
    await page.waitForLoadState('networkidle')
    const transfer = await page.evaluateHandle((bytes) => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(bytes)], 'signed.pdf', { type: 'application/pdf' }))
      return data
    }, [...signed])
    await page.locator('.drop').dispatchEvent('drop', { dataTransfer: transfer })
    await page.getByRole('heading', { name: /^Matches/ }).waitFor()
  })

  test('a pasted fingerprint is checked too, and what is none is told apart', async () => {
    const { page } = await aVisit(browser)
    await page.goto(`${it.url}/verify?locale=en`)
    await page.getByRole('button', { name: 'Paste a fingerprint instead' }).click()
    await page.getByLabel('Fingerprint (SHA-256)').fill('abc')
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('A fingerprint has 64 characters').waitFor()
    await page.getByLabel('Fingerprint (SHA-256)').fill(createHash('sha256').update(signed).digest('hex').toUpperCase())
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByRole('heading', { name: /^Matches/ }).waitFor()
  })

  test('without a secure connection it says so and takes the fingerprint', async () => {
    const { page } = await aVisit(browser)
    await page.addInitScript(() => Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined }))
    await page.goto(`${it.url}/verify?locale=en`)
    await page.getByText('This page was opened without a secure connection').waitFor()
    await page.getByLabel('Fingerprint (SHA-256)').waitFor()
  })
})
