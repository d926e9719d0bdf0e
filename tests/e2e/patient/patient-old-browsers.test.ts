import type { Browser, Page, Response } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aBrowser, aVisit } from '../../support/browser/browser.ts'
import { aBuiltInstance, type Built } from '../../support/browser/built.ts'
import { enterCode } from '../../support/browser/patient-page.ts'
import { aSentBudget, aTreatment } from '../../support/builders.ts'

let instance: Built
let browser: Browser
beforeAll(async () => {
  instance = await aBuiltInstance()
  browser = await aBrowser()
})
afterAll(async () => {
  await browser?.close()
  await instance?.close()
})

/** Removes features that are newer than the oldest browsers of package.json's `browserslist`, mostly those of 2021. */
function removeNewer() {
  const drop = (owner: object, names: string[]) => names.forEach(name => Reflect.deleteProperty(owner, name))
  drop(Array.prototype, ['toSorted', 'toReversed', 'toSpliced', 'with', 'findLast', 'findLastIndex', 'at'])
  drop(Object, ['groupBy', 'hasOwn'])
  drop(Map, ['groupBy'])
  drop(Array, ['fromAsync'])
  drop(String.prototype, ['toWellFormed', 'isWellFormed', 'at'])
  drop(Promise, ['withResolvers', 'try'])
  drop(Set.prototype, ['union', 'intersection', 'difference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom'])
  drop(AbortSignal, ['timeout', 'any'])
  drop(URL, ['canParse', 'parse'])
  const { Iterator: iterator } = globalThis as { Iterator?: { prototype: object } }
  drop(iterator?.prototype ?? {}, ['map', 'filter', 'toArray', 'take', 'drop', 'some', 'every', 'find', 'forEach'])
  drop(window, ['structuredClone', 'requestIdleCallback', 'cancelIdleCallback', 'scheduler', 'navigation'])
  drop(Crypto.prototype, ['randomUUID'])
}

const NEWER = [
  /\.to(?:Sorted|Reversed|Spliced|WellFormed)\(/g,
  /\.(?:with|findLast|findLastIndex|isWellFormed|checkVisibility)\(/g,
  /\b(?:structuredClone\(|(?:Object|Map)\.groupBy\b|Array\.fromAsync\b|Promise\.(?:withResolvers|try)\b)/g,
  /\b(?:AbortSignal\.(?:timeout|any)|URL\.(?:canParse|parse)|crypto\.randomUUID|Intl\.(?:Segmenter|DurationFormat))\b/g,
  // Syntax that makes a whole file fail: lookbehind, static blocks in classes, sets in expressions.
  /\(\?<[=!]|\bstatic\s*\{|[^\w)\]]\/(?:[^/\n\\[]|\\.|\[[^\]\n]*\])+\/[dgimsuy]*v[dgimsuy]*[.,;)]/g
]
/** Vue's list of array methods: it calls a method only after the application has called it. */
const PASSED_ON = /\w+\(this\)$/

async function throughTheWholePage(page: Page, { url, code }: { url: string, code: string }) {
  await page.goto(`${url}?locale=en`)
  await enterCode(page, code)
  await page.getByText('Teeth 16, 26').waitFor()
  await page.getByRole('group', { name: 'Dental chart', exact: true }).waitFor()
  await page.getByRole('radio', { name: 'Bridge' }).check()
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByRole('radio', { name: 'By drawing' }).check()
  await page.locator('canvas').waitFor()
  await page.getByRole('radio', { name: 'With a click' }).check()
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Confirm and accept' }).click()
  await page.getByRole('heading', { name: /Thank you/ }).waitFor()
  await page.waitForLoadState('networkidle')
}

async function anOffer() {
  const { id: treatment_id } = await aTreatment(await instance.as('admin'), { name: { en: 'Filling', es: 'Filling' } })
  return await aSentBudget(instance, {
    items: [{ treatment_id, teeth: ['26', '16'] }],
    choices: [{
      title: 'The gap',
      rule: 'exactly_one',
      options: ['Bridge', 'Implant'].map(title => ({ title, items: [{ treatment_id, teeth: ['36'] }] }))
    }]
  })
}

test('a browser of 2021 shows the whole offer, and the patient can sign', async () => {
  const { page, complaints } = await aVisit(browser)
  await page.addInitScript(removeNewer)
  await throughTheWholePage(page, await anOffer())
  expect(complaints).toEqual([])
})

test('no script of the patient\'s page uses features that a browser of 2021 lacks', async () => {
  const { page } = await aVisit(browser)
  const scripts: Response[] = []
  page.on('response', response => void (response.request().resourceType() === 'script' && scripts.push(response)))
  await throughTheWholePage(page, await anOffer())
  expect(scripts.length).toBeGreaterThan(4)
  const found = await Promise.all(scripts.map(async (script) => {
    const text = await script.text()
    return NEWER.flatMap(pattern => Array.from(text.matchAll(pattern), ({ index, 0: used }) => ({
      before: text.slice(Math.max(0, index - 60), index),
      used
    })))
  }))
  expect(found.flat().filter(({ before }) => !PASSED_ON.test(before))).toEqual([])
})
