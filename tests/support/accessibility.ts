import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** All rules. In one page: no screen has frames of other origins, and a second page for the result costs as much as the analysis. */
export const axe = (page: Page) => new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode()
export const everything = (page: Page) => axe(page).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
/** The other theme differs in colours only. */
export const colours = (page: Page) => axe(page).withRules(['color-contrast', 'link-in-text-block'])
/** The other theme on a small screen differs in colours and in places. */
export const coloursAndPlaces = (page: Page) => axe(page).withRules(['color-contrast', 'link-in-text-block', 'target-size', 'scrollable-region-focusable', 'css-orientation-lock'])
/** Colours on their way from one theme to the other are nobody's. */
export const settled = (page: Page) => page.waitForFunction(() => document.getAnimations()
  .every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().iterations === Infinity))
export const violations = async (axe: AxeBuilder) => (await axe.analyze())
  .violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.target.join(' ')).join(', ')}`)

/** What sticks out sideways, when the page can be scrolled that way. */
export const sticksOut = (page: Page) => page.evaluate(() => {
  const { scrollWidth, clientWidth } = document.documentElement
  const out = [...document.querySelectorAll('body *')].filter((element) => {
    const { left, right } = element.getBoundingClientRect()
    return right > clientWidth || left < 0
  })
  return scrollWidth > clientWidth ? [`${scrollWidth} > ${clientWidth}`, ...out.map(element => `${element.tagName}.${element.className}`)] : []
})
