/**
 * When a form checks a field before it is sent: while somebody types, not on leaving the field. A message that comes or
 * goes just as a button is pressed would move the button away from under the pointer, and the press would be lost.
 */
export const AFTER_TYPING: ('input')[] = ['input']
