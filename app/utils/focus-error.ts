/**
 * After a refused submit, focuses the first field with an error, so that its message is read out. For a form's
 * `@error`.
 */
export function focusFirstError() {
  // Waits until the form enables its fields again, because disabled fields can't be focused.
  setTimeout(() => {
    const place = document.querySelector('[role="dialog"]') ?? document
    place.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  })
}
