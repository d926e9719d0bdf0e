/** Leads to the questions of the patient, with the focus in the field for the answer. */
export function showMessages() {
  const section = document.querySelector('#messages')
  section?.scrollIntoView({ block: 'center' })
  section?.querySelector('textarea')?.focus({ preventScroll: true })
}
