const isPlain = ({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent) => !altKey && !ctrlKey && !metaKey && !shiftKey
const findSearch = () => document.querySelector<HTMLElement>('main [role="search"] input')

/**
 * Arrows, Home and End move between the links of a list's rows; above the first one is the search field. Enter follows
 * the link by itself.
 */
export function moveBetweenRows(event: KeyboardEvent) {
  const { key, target, currentTarget } = event
  if (!isPlain(event) || !(target instanceof Element) || !(currentTarget instanceof Element)) return
  const links = [...currentTarget.querySelectorAll<HTMLElement>('.row-link')]
  const at = links.findIndex(link => link === target)
  if (at < 0) return
  const next = {
    ArrowDown: links[at + 1],
    ArrowUp: at === 0 ? findSearch() : links[at - 1],
    Home: links[0],
    End: links.at(-1)
  }[key]
  if (!next) return
  event.preventDefault()
  next.focus()
}

/** From the search field, and from the page itself, the arrow leads to the first row. */
export function enterRows(event: KeyboardEvent) {
  const { key, target } = event
  if (key !== 'ArrowDown' || !isPlain(event) || !(target instanceof HTMLElement)) return
  if (target !== document.body && target.id !== 'content' && target !== findSearch()) return
  const first = document.querySelector<HTMLElement>('main .list-table .row-link')
  if (!first || document.querySelector('[role="dialog"]')) return
  event.preventDefault()
  first.focus()
}
