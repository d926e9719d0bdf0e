/**
 * Validates a field on each key instead of when it loses focus. A message that appears or disappears just as a button
 * is pressed would move the button from under the pointer, and the press would be lost. Without a delay, because a late
 * check would remove an error that the server has reported meanwhile.
 */
export const WHILE_TYPING: { validateOn: 'input'[], validateOnInputDelay: number } = {
  validateOn: ['input'],
  validateOnInputDelay: 0
}
