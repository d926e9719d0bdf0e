import { run } from 'axe-core'

/** Rules of colours, positions and the focus, which a simulated browser doesn't have. */
const UNKNOWN = ['color-contrast', 'target-size', 'aria-hidden-focus', 'region']

/** What a screen reader would miss in this part of the document. */
export async function findViolations(part: string): Promise<string[]> {
  const { violations } = await run({ include: [[part]], exclude: [['[hidden]']] }, {
    resultTypes: ['violations'],
    preload: false,
    rules: Object.fromEntries(UNKNOWN.map(rule => [rule, { enabled: false }]))
  })
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
}
