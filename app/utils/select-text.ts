/**
 * For `focus` and `click`: selects the field's text, so that it can be copied or typed over. Otherwise a menu would
 * search for its chosen entry plus what is typed. A click in an open menu places the caret.
 */
export function selectText({ target, type }: Event) {
  if (!(target instanceof HTMLInputElement)) return
  if (type === 'click' && target.getAttribute('aria-expanded') !== 'false') return
  target.select()
}
