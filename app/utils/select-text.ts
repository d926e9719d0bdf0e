/**
 * Selects the field's text on focus, so that typing replaces it. A menu shows its chosen entry as text, and would
 * search for that text with what is typed behind it.
 */
export function selectText({ target }: Event) {
  if (!(target instanceof HTMLInputElement)) return
  target.select()
  // Safari ends the selection when the button of the mouse is released.
  target.addEventListener('mouseup', event => event.preventDefault(), { once: true })
}
