/**
 * For `focus` and `click`: selects the field's text, so that typing replaces it. A menu shows its chosen entry as text,
 * and would search for that text with what is typed behind it. In a menu that is open a click places the caret.
 */
export function selectText({ target, type }: Event) {
  if (!(target instanceof HTMLInputElement)) return
  if (type === 'click' && target.getAttribute('aria-expanded') !== 'false') return
  target.select()
}
