/**
 * After a refused submit the first field that is wrong has the focus; its message is read with it. For `@error` of a
 * form.
 */
export function focusFirstError() {
  // The form disables its fields until it has answered; what is disabled takes no focus.
  setTimeout(() => {
    const place = document.querySelector('[role="dialog"]') ?? document
    place.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  })
}
