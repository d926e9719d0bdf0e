/**
 * When a form checks a field before it is sent: with each key, not on leaving the field. A message that comes or goes
 * just as a button is pressed would move the button away from under the pointer, and the press would be lost. At once,
 * not a moment later: by then the server may have said something of the field, which the late check would take away.
 */
export const WHILE_TYPING: { validateOn: 'input'[], validateOnInputDelay: number } = {
  validateOn: ['input'],
  validateOnInputDelay: 0
}
