/**
 * For `focus` and `click`: selects the field's text, so that it can be copied or replaced. Otherwise a menu would
 * search for its chosen entry plus the typed text. In an open menu a click only places the cursor.
 */
export function selectText({ target, type }: Event) {
  if (!(target instanceof HTMLInputElement)) return
  if (type === 'click' && target.getAttribute('aria-expanded') !== 'false') return
  target.select()
}
