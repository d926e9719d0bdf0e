/**
 * Selects what a field holds when it gets the focus, so that typing replaces it: a menu that shows its chosen entry as
 * text would search for both.
 */
export function selectText({ target }: FocusEvent) {
  if (target instanceof HTMLInputElement) target.select()
}
