import type { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { axe as allRules, coloursAndPlaces, keyboardFaults, places, settled } from './accessibility.ts'
import { aVisit, DESK, type Visit, type VisitOptions } from './browser.ts'
import type { Built } from './built.ts'
import type { Role } from '../people.ts'

export type StaffVisitOptions = Omit<NonNullable<VisitOptions>, 'locale'> & {
  role?: Role
  clinic?: { id: string }
  /** Language of the screens. */
  locale?: string
}

declare global {
  interface Window {
    /** Nuxt's own, in the built application too. */
    useNuxtApp(): {
      isHydrating?: boolean
      $router: { push(path: string): Promise<unknown> }
      hooks: { hookOnce(name: 'page:finish', then: () => void): void }
    }
  }
}

/** A tab in which a member of the clinic is signed in, on a desktop by default. */
export async function aStaffVisit(
  browser: Browser,
  instance: Built,
  { role = 'receptionist', clinic = instance.clinic, locale = 'en', ...options }: StaffVisitOptions = {}
): Promise<Visit> {
  const visit = await aVisit(browser, { viewport: DESK, ...options })
  await visit.context.addCookies([
    { name: 'svc_session', value: await instance.session(role, clinic), url: instance.url },
    { name: 'svc_language', value: locale, url: instance.url }
  ])
  return visit
}

/** Opens the page, and waits until nothing on it is still being loaded. */
export async function visitPage(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await loaded(page)
}

/**
 * The same, but by the router if the tab already shows one of the clinic's screens, so that the application is not
 * loaded again.
 */
export async function followTo(page: Page, url: string): Promise<void> {
  const pathOf = (address: string) => address.split('?')[0]
  // The router keeps a page whose query alone changes.
  if (page.url() === 'about:blank' || pathOf(page.url()) === pathOf(url)) return await visitPage(page, url)
  await page.evaluate(async (path) => {
    const { $router, hooks } = window.useNuxtApp()
    const finished = new Promise<void>(resolve => hooks.hookOnce('page:finish', () => resolve()))
    await $router.push(path)
    await finished
  }, url.slice(new URL(url).origin.length))
  await loaded(page)
}

async function loaded(page: Page): Promise<void> {
  await page.locator('#content:not([aria-busy])').waitFor()
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'))
}

/** No violation of axe that is serious or worse, and no sideways scrolling. */
export async function expectAccessible(page: Page, axe: AxeBuilder = allRules(page)): Promise<void> {
  await settled(page)
  const { violations } = await axe.analyze()
  const found = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(node => node.target).join(', ')}`)
  expect(found).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
  // The page's content scrolls in a box of its own, which hides what is too wide.
  expect(await page.evaluate(() =>
    Math.max(0, ...[...document.querySelectorAll('main [data-slot=body]')].map(box => box.scrollWidth - box.clientWidth))
  )).toBe(0)
}

/** Two tabs, English and Arabic, in which a member goes from screen to screen without loading the application again. */
export interface Walk {
  url: string
  visits: { locale: string, page: Page }[]
  leave (): Promise<void>
}

/** For the screens of several tests, if it begins before them. */
export async function aWalk(browser: Browser, instance: Built, options: StaffVisitOptions = {}): Promise<Walk> {
  const visits = await Promise.all(['en', 'ar'].map(async locale =>
    ({ locale, ...await aStaffVisit(browser, instance, { ...options, locale }) })))
  return { url: instance.url, visits, leave: async () => void await Promise.all(visits.map(({ leave }) => leave())) }
}

type Ready = (page: Page) => Promise<unknown>

/**
 * The screen in all its variants: English and Arabic, light and dark, on a desktop and at 320 px, and by keyboard.
 * Theme and width change while it is open. Colours and roles are the same in both languages.
 */
export async function expectAllVariants({ url, visits }: Walk, path: string, /** More to wait for. */ ready?: Ready) {
  for (const { locale, page } of visits) {
    await page.setViewportSize(DESK)
    await page.emulateMedia({ colorScheme: 'light' })
    await followTo(page, url + path)
    expect(await page.locator('html').getAttribute('lang')).toBe(locale)
    await ready?.(page)
    await expectAccessible(page, locale === 'en' ? allRules(page) : places(page))
    if (locale === 'en') expect(await keyboardFaults(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.locator('html.dark').waitFor({ state: 'attached' })
    await page.setViewportSize({ width: 320, height: 740 })
    await expectAccessible(page, locale === 'en' ? coloursAndPlaces(page) : places(page))
  }
}

/** The same for one screen. */
export async function expectForEverybody(
  browser: Browser,
  instance: Built,
  path: string,
  { ready, ...options }: StaffVisitOptions & { ready?: Ready } = {}
): Promise<void> {
  const walk = await aWalk(browser, instance, options)
  await expectAllVariants(walk, path, ready)
  await walk.leave()
}

/** A button, or a link that looks like one, by its exact name. */
export const press = (page: Page, name: string | RegExp) => {
  const options = { name, exact: typeof name === 'string' }
  return page.getByRole('button', options).or(page.getByRole('main').getByRole('link', options)).click()
}
export const heard = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
/** The field that has the focus. */
export const focusedLabel = (page: Page) =>
  page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.textContent?.trim())
/** A disabled button has a reason, which a screen reader reads too. */
export const expectWhyNot = (page: Page, name: string, reason: string) =>
  expect
    .poll(() =>
      page
        .getByRole('button', { name, exact: true })
        .evaluate(button =>
          button.getAttribute('aria-disabled') === 'true'
            ? (document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent ?? '')
            : null
        )
    )
    .toContain(reason)
