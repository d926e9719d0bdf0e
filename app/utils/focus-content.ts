/**
 * After what had the focus is gone (a dialog whose button went too, a notice): the focus goes to the content, not to
 * the top of the document.
 */
export function focusContent() {
  // The dialog gives the focus back a turn after it left.
  setTimeout(() => {
    if (!globalThis.document) return // a test's page is closed by then
    if (document.activeElement === document.body && !document.querySelector('[role="dialog"]'))
      document.getElementById('content')?.focus({ preventScroll: true })
  }, 50)
}
