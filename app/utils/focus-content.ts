/** After a dialog is gone whose button is gone too: the focus goes to the content, not to the top of the document. */
export function focusContent() {
  // The dialog gives the focus back a turn after it left.
  setTimeout(() => {
    if (document.activeElement === document.body && !document.querySelector('[role="dialog"]')) document.getElementById('content')?.focus()
  }, 50)
}
