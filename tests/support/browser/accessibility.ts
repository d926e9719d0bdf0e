import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

const SOURCE = readFileSync(createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'), 'utf8')

/** The builder sends half a megabyte twice for each analysis, although a document needs it only once. */
class Axe extends AxeBuilder {
  readonly #page: Page
  constructor(page: Page) {
    super({ page, axeSource: 'void 0' })
    this.#page = page
  }

  override async analyze() {
    if (!(await this.#page.evaluate(() => 'axe' in window))) await this.#page.evaluate(`${SOURCE};void 0`)
    return await super.analyze()
  }
}

/**
 * All rules, in one page: no screen has frames of other origins, and a second page for the result costs as much as the
 * analysis.
 */
export const axe = (page: Page) => new Axe(page).options({ resultTypes: ['violations'] }).setLegacyMode()
export const everything = (page: Page) =>
  axe(page).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
/** The other theme differs only in colours. */
export const colours = (page: Page) => axe(page).withRules(['color-contrast', 'link-in-text-block'])
const PLACES = ['target-size', 'scrollable-region-focusable', 'css-orientation-lock']
/** The other theme on a small screen differs in colours and in positions. */
export const coloursAndPlaces = (page: Page) => axe(page).withRules(['color-contrast', 'link-in-text-block', ...PLACES])
/** Another language has the same colours, which take most of the time. */
export const allButColours = (page: Page) => axe(page).disableRules(['color-contrast', 'link-in-text-block'])
export const places = (page: Page) => axe(page).withRules(PLACES)
/** Ignores colours during the transition from one theme to the other. */
export const settled = (page: Page) => page.waitForFunction(() => document.getAnimations()
  .every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().iterations === Infinity))
export const violations = async (axe: AxeBuilder) => (await axe.analyze())
  .violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.target.join(' ')).join(', ')}`)

/** The elements that are too wide, if the page can be scrolled sideways. */
export const findOverflow = (page: Page) => page.evaluate(() => {
  const { scrollWidth, clientWidth } = document.documentElement
  const out = [...document.querySelectorAll('body *')].filter((element) => {
    const { left, right } = element.getBoundingClientRect()
    return right > clientWidth || left < 0
  })
  return scrollWidth > clientWidth
    ? [`${scrollWidth} > ${clientWidth}`, ...out.map(element => `${element.tagName}.${element.className}`)]
    : []
})

/**
 * The faults that a keyboard user meets on one tour of the page: a control that Tab does not reach, that looks the same
 * with the focus, or that is covered while it has the focus.
 */
export async function keyboardFaults(page: Page): Promise<string[]> {
  const found = await goRound(page)
  if (found.length === 0) return found
  // A control that the page rendered again counts as another one. A real fault is found again.
  const again = await goRound(page)
  return found.filter(fault => again.includes(fault))
}

async function goRound(page: Page): Promise<string[]> {
  await page.evaluate(readLooks)
  const controls = await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    const can = 'a[href], button, input, select, textarea, summary, [tabindex]'
    const stops = [...document.querySelectorAll<HTMLElement>(can)].filter(
      element =>
        element.tabIndex >= 0
        && !element.matches(':disabled')
        && element.checkVisibility({ visibilityProperty: true })
        && element.getClientRects().length > 0
        && !element.querySelector(can)
    ) // a group passes the focus to one of its members
    for (const [index, element] of stops.entries())
      Object.assign(element.dataset, { stop: index, look: window.lookOf(element) })
    return stops.map(element => `${element.localName} "${element.getAttribute('aria-label') ?? element.innerText}"`)
  })
  const reached = new Set<string>()
  const [shown, faults] = [new Set<string>(), new Set<string>()]
  const isReached = (index: number) => reached.has(String(index))
  const isShown = (index: number) => shown.has(String(index)) || shown.has(controls[index]!)
  const isDone = () => controls.every((_, index) => isReached(index) && isShown(index))
  // One tour, or two if an element of the page took the focus back on the way.
  for (
    let presses = 0;
    presses < controls.length + 10 || (presses < 2 * controls.length + 20 && !isDone());
    presses++
  ) {
    await page.keyboard.press('Tab')
    const at = await page.evaluate(focusSeen)
    if (!at) continue // the browser's own controls
    if (at.stop) reached.add(at.stop)
    // A date input shows the focus itself while the browser's button inside it has the focus. A control can change its
    // text on the way.
    if (at.differs) shown.add(at.name).add(at.stop ?? at.name)
    if (!at.free) faults.add(`${at.name} is covered`)
  }
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  return [
    ...faults,
    ...controls
      .filter((_, index) => isReached(index) && !isShown(index))
      .map(control => `${control} does not show the focus`),
    ...controls.filter((_, index) => !isReached(index)).map(control => `${control} is not reached`)
  ]
}

declare global {
  interface Window { lookOf: (element: Element) => string }
}

/** Runs in the page: the styles that can show an element's focus, on the element or around it. */
function readLooks() {
  const drawn = (element: Element | null, pseudo?: string) => {
    const style = element && getComputedStyle(element, pseudo)
    return style
      ? [style.outlineStyle, style.outlineWidth, style.boxShadow, style.borderColor, style.textDecorationLine].join(' ')
      : ''
  }
  window.lookOf = element =>
    [
      drawn(element),
      drawn(element, '::before'),
      drawn(element, '::after'),
      drawn(element.parentElement),
      drawn(element.nextElementSibling)
    ].join(' | ')
}

/**
 * Runs in the page: which element has the focus, whether the focus is visible, and whether the element is. A menu that
 * opens with the focus closes within the next frames, which a busy machine draws late, so only what stays can cover an
 * element.
 */
async function focusSeen() {
  const element = document.activeElement as HTMLElement
  if (element === document.body) return null
  const onTop = ([x, y]: [number, number]) => {
    const there = document.elementFromPoint(x, y)
    return (
      there !== null
      && (element.contains(there) || there.contains(element) || there.closest('label')?.control === element)
    )
  }
  const isFree = () => {
    const { left, right, top, bottom } = element.getBoundingClientRect()
    const places: [number, number][] = [
      [(left + right) / 2, (top + bottom) / 2],
      [left + 3, top + 3],
      [right - 3, top + 3],
      [left + 3, bottom - 3],
      [right - 3, bottom - 3]
    ]
    return places.some(onTop)
  }
  const until = performance.now() + 10_000
  while (!isFree() && element.isConnected && performance.now() < until)
    await new Promise(resolve => setTimeout(resolve, 20))
  return {
    name: `${element.localName} "${element.getAttribute('aria-label') ?? element.innerText}"`,
    stop: element.dataset.stop,
    differs: element.dataset.look !== window.lookOf(element),
    free: isFree()
  }
}
