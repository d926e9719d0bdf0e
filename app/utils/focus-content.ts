/**
 * Moves the focus to the content if the focused element was removed, such as a notice or a dialog together with its
 * button. The browser would start at the top of the document.
 */
export function focusContent() {
  // A dialog returns the focus shortly after it has closed.
  setTimeout(() => {
    if (!globalThis.document) return // in a test, the page may be closed by now
    if (document.activeElement === document.body && !document.querySelector('[role="dialog"]'))
      document.getElementById('content')?.focus({ preventScroll: true })
  }, 50)
}
